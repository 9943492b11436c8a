//! The serde forms of lists that are objects in JSON, and of names that are static.

use alloc::format;
use alloc::string::String;

use serde::de::{Deserialize, Deserializer, Error};

use super::tools::PURPOSES;

/// Reads what a tool of a provider does.
pub(super) fn purpose<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<&'static str>, D::Error> {
    let Some(name) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
    match PURPOSES.iter().find(|purpose| **purpose == name) {
        Some(purpose) => Ok(Some(purpose)),
        None => Err(D::Error::custom(format!("this build has no purpose `{name}`"))),
    }
}

/// Members: an object.
pub(super) mod members {
    use alloc::vec::Vec;

    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    use crate::json::{Member, Value};

    pub(in super::super) fn serialize<S: Serializer>(
        members: &[Member],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(members.iter().map(|member| (&member.key, &member.value)))
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Member>, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Object(members) => Ok(members),
            _ => Err(D::Error::custom("members are an object")),
        }
    }
}

/// Settings with one value: an object with their names.
pub(super) mod scalars {
    use alloc::format;
    use alloc::vec::Vec;

    use serde::de::{Deserializer, Error};
    use serde::ser::Serializer;

    use super::super::SettingKey;
    use crate::json::Value;

    pub(in super::super) fn serialize<S: Serializer>(
        scalars: &[(SettingKey, Value)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(scalars.iter().map(|(key, value)| (key.name(), value)))
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(SettingKey, Value)>, D::Error> {
        let members = super::members::deserialize(deserializer)?;
        let setting = |member: crate::json::Member| match SettingKey::named(&member.key) {
            Some(key) => Ok((key, member.value)),
            None => Err(D::Error::custom(format!("this build has no setting `{}`", member.key))),
        };
        members.into_iter().map(setting).collect()
    }
}
