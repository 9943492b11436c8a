//! What sends the requests to models.

use std::boxed::Box;
use std::error::Error;
use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;

use reqwest::{Request, Response};

use crate::emit::AnyError;

/// Sends the requests to models, as [`reqwest::Client`] does. A program that needs another client,
/// for example one whose memory is limited, implements it: [`Response`] is created from a response
/// of the crate `http`.
pub trait HttpClient: Send + Sync {
    /// Sends a request, and returns the response as soon as its head has arrived.
    fn send(
        &self,
        request: Request,
    ) -> Pin<Box<dyn Future<Output = Result<Response, NetworkError>> + Send + '_>>;
}

impl HttpClient for reqwest::Client {
    fn send(
        &self,
        request: Request,
    ) -> Pin<Box<dyn Future<Output = Result<Response, NetworkError>> + Send + '_>> {
        Box::pin(async move { self.execute(request).await.map_err(NetworkError::from) })
    }
}

/// The reason why a request was not sent, or why its response broke off. Its text does not contain
/// the URL.
#[derive(Debug)]
pub struct NetworkError(AnyError);

impl NetworkError {
    /// Creates an error of a client.
    pub fn new(error: impl Into<AnyError>) -> Self {
        NetworkError(error.into())
    }

    /// Whether something did not happen in time.
    pub fn is_timeout(&self) -> bool {
        let mut cause: Option<&(dyn Error + 'static)> = Some(&*self.0);
        while let Some(error) = cause {
            let of_client = error.downcast_ref().is_some_and(reqwest::Error::is_timeout);
            let of_system = error.downcast_ref::<io::Error>().map(io::Error::kind);
            if of_client || of_system == Some(io::ErrorKind::TimedOut) {
                return true;
            }
            cause = error.source();
        }
        false
    }
}

impl From<reqwest::Error> for NetworkError {
    fn from(error: reqwest::Error) -> Self {
        NetworkError(error.without_url().into())
    }
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for NetworkError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.0)
    }
}
