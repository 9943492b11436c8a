//! The answer that an agent returns instead of writing it.

use std::borrow::Cow;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::string::String;

use futures_core::Stream;

use super::failure::AnyError;
use super::forward::AnswerStream;
use super::out::Out;
use crate::core::error::UsageError;
use crate::hub::RunEnd;

/// What an agent may return: nothing, a text, a stream of [texts](Texts), the [answer](AnswerStream)
/// of a model or of another agent, or the end of the run.
///
/// An agent that has written an answer cannot return a second one: the run then fails with the
/// error `value-returned`.
pub trait IntoAnswer {
    /// Writes the answer.
    fn write_to(self, out: &Out) -> impl Future<Output = Result<(), AnyError>> + Send;
}

/// The agent has written all of its answer.
impl IntoAnswer for () {
    async fn write_to(self, _: &Out) -> Result<(), AnyError> {
        Ok(())
    }
}

impl IntoAnswer for String {
    async fn write_to(self, out: &Out) -> Result<(), AnyError> {
        self.as_str().write_to(out).await
    }
}

impl IntoAnswer for &str {
    async fn write_to(self, out: &Out) -> Result<(), AnyError> {
        if !self.is_empty() {
            must_be_first(out, "a text")?;
            out.text(self).await;
        }
        Ok(())
    }
}

impl IntoAnswer for Cow<'_, str> {
    async fn write_to(self, out: &Out) -> Result<(), AnyError> {
        (&*self).write_to(out).await
    }
}

/// The end of the run, as of `run_tools`.
impl IntoAnswer for RunEnd {
    async fn write_to(self, out: &Out) -> Result<(), AnyError> {
        out.end(self);
        Ok(())
    }
}

/// No answer, or this one.
impl<A: IntoAnswer + Send> IntoAnswer for Option<A> {
    async fn write_to(self, out: &Out) -> Result<(), AnyError> {
        match self {
            Some(answer) => answer.write_to(out).await,
            None => Ok(()),
        }
    }
}

/// A stream of texts as an answer: of strings, or of results of strings.
///
/// ```
/// use agentwire::emit::{AnyError, ConversationRequest, Out, Texts};
/// use futures_util::{Stream, stream};
///
/// async fn agent(
///     _: Out,
///     request: ConversationRequest,
/// ) -> Result<Texts<impl Stream<Item = String>>, AnyError> {
///     let words: Vec<_> = request.text().split_inclusive(' ').map(String::from).collect();
///     Ok(Texts(stream::iter(words)))
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Texts<S>(pub S);

/// An item of a stream of [texts](Texts).
pub trait TextPiece {
    /// Returns the text, or the error that ends the run.
    fn into_text(self) -> Result<Cow<'static, str>, AnyError>;
}

impl TextPiece for String {
    fn into_text(self) -> Result<Cow<'static, str>, AnyError> {
        Ok(self.into())
    }
}

impl TextPiece for &'static str {
    fn into_text(self) -> Result<Cow<'static, str>, AnyError> {
        Ok(self.into())
    }
}

impl<T: TextPiece, E: Into<AnyError>> TextPiece for Result<T, E> {
    fn into_text(self) -> Result<Cow<'static, str>, AnyError> {
        self.map_err(Into::into).and_then(T::into_text)
    }
}

impl<S: Stream<Item: TextPiece + Send> + Send> IntoAnswer for Texts<S> {
    async fn write_to(self, out: &Out) -> Result<(), AnyError> {
        must_be_first(out, "a stream")?;
        let mut texts = pin!(self.0);
        while let Some(piece) = poll_fn(|context| texts.as_mut().poll_next(context)).await {
            out.text(&piece.into_text()?).await;
        }
        Ok(())
    }
}

/// Passes the answer on, and ends the run as the answer has ended.
impl<S, B, E> IntoAnswer for AnswerStream<S>
where
    S: Stream<Item = Result<B, E>> + Send,
    B: AsRef<[u8]> + Send,
    E: Into<AnyError> + Send,
{
    async fn write_to(self, out: &Out) -> Result<(), AnyError> {
        must_be_first(out, "an answer")?;
        let forwarded = out.forward(self).await?;
        out.end(forwarded.end);
        Ok(())
    }
}

fn must_be_first(out: &Out, returned: &str) -> Result<(), UsageError> {
    match out.has_output() {
        false => Ok(()),
        true => Err(UsageError::new(
            "value-returned",
            ["the agent has written an answer, and then returned ", returned].concat(),
            "return the answer, or write all of it",
        )),
    }
}
