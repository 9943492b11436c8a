//! TLS of the connections of stores, with the certificates of the system.

/// Names the cryptography of this process, unless its application has: without it, a second crate
/// that enables another one leaves the choice open, which is a panic.
#[cfg(any(feature = "postgres", feature = "redis"))]
pub(super) fn choose_cryptography() {
    drop(rustls::crypto::aws_lc_rs::default_provider().install_default());
}

/// Returns the TLS of connections to Postgres.
#[cfg(feature = "postgres")]
pub(super) fn postgres() -> Result<tokio_postgres_rustls::MakeRustlsConnect, super::StoreError> {
    choose_cryptography();
    match tokio_postgres_rustls::MakeRustlsConnect::with_native_certs() {
        Ok((tls, _)) => Ok(tls),
        Err(_) => Err("the system has no certificates for TLS".into()),
    }
}
