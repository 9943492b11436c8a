//! Addresses that are valid for some time, without a token: signed by HMAC over the purpose, the
//! expiry and the subject.

use std::borrow::ToOwned;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use form_urlencoded::Serializer;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::query::Query;
use crate::threads::now;

/// The seconds for which an address is valid.
const LIFE: u64 = 3600;

/// Appends the `expires` (seconds since 1970) and the `signature` of an address to its query.
pub(super) fn sign(query: &mut Serializer<'_, String>, purpose: &str, subject: &str, secret: &str) {
    let expires = (now() / 1000 + LIFE).to_string();
    let signature = hex(&mac(purpose, &expires, subject, secret).finalize().into_bytes());
    query.append_pair("expires", &expires).append_pair("signature", &signature);
}

/// Returns whether the signature of a query is valid and has not expired.
pub(super) fn is_signed(purpose: &str, subject: &str, query: &Query, secret: &str) -> bool {
    let (Some(expires), Some(signature)) =
        (query.get("expires"), query.get("signature").and_then(unhex))
    else {
        return false;
    };
    let is_valid =
        expires.len() <= 12 && expires.parse().is_ok_and(|seconds: u64| seconds * 1000 >= now());
    is_valid && mac(purpose, expires, subject, secret).verify_slice(&signature).is_ok()
}

fn mac(purpose: &str, expires: &str, subject: &str, secret: &str) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key of any length");
    mac.update(format!("{purpose}\n{expires}\n{subject}").as_bytes());
    mac
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.is_ascii().then(|| text.to_owned())?;
    (0..digits.len() / 2)
        .map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).ok())
        .collect()
}
