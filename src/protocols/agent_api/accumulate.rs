//! The documented methods that extend a message: `add_delta_content`, `content_completed`, `add_content`.
//! (Spec 1.3, S:647 to S:733.)
//!
//! They change the model only: they do not number events, and they do not enforce an order. To write a stream, use the
//! [builder](super::builder). Where upstream raises, they return a [`UsageError`]; where upstream leaves members of a
//! stored part null, the model sets their value.

use super::RunStatus;
use super::merge::{DataMerge, merge};
use super::model::{Content, Message, Payload};
use super::request::InputContent;
use crate::core::UsageError;
use crate::json::decimal;

impl Message {
    /// Adds a piece, and returns it as its content event: with index, message id and status in_progress.
    ///
    /// Without an index the piece is the beginning of a new part. With an index and `delta` true it is merged into that
    /// part: texts and image URLs are concatenated, data follows [`DataMerge::Message`], any other value stays
    /// unchanged. With an index and `delta` false or null the message does not change, and the result is `None`.
    ///
    /// ```
    /// use agentwire::agent_api::request::InputContent;
    /// use agentwire::agent_api::{Message, MessageType, Style};
    ///
    /// let mut message = Message::new("msg_1", MessageType::Message, None);
    /// message.add_delta_content(InputContent::text("Hel"))?;
    /// let mut piece = InputContent::text("lo");
    /// piece.index = Some(0);
    /// piece.delta = Some(true);
    /// let event = message.add_delta_content(piece)?.unwrap();
    /// assert_eq!(event.msg_id.as_deref(), Some("msg_1"));
    /// assert_eq!(message.text(), "Hello");
    /// # Ok::<(), agentwire::UsageError>(())
    /// ```
    pub fn add_delta_content(&mut self, mut piece: InputContent) -> Result<Option<InputContent>, UsageError> {
        match (piece.index, piece.delta) {
            (None, _) => {
                let index = self.store(&piece);
                piece.index = Some(index.into());
            }
            (Some(index), Some(true)) => {
                let same = |part: &&mut Content| i64::from(part.index) == index;
                let part = self.content.iter_mut().find(same).ok_or_else(|| no_part(index))?;
                grow(&mut part.payload, &piece.payload)?;
            }
            (Some(_), Some(false) | None) => return Ok(None),
        }
        piece.msg_id = Some(self.id.clone().into());
        piece.status = Some(RunStatus::InProgress);
        Ok(Some(piece))
    }

    /// Returns the completed event of a part: a copy; the part itself stays in progress. `None` if the part does not
    /// exist.
    pub fn content_completed(&self, index: u32) -> Option<InputContent> {
        let part = self.content.iter().find(|part| part.index == index)?;
        let mut event = InputContent::from(part.clone());
        event.status = Some(RunStatus::Completed);
        event.msg_id = Some(self.id.clone().into());
        Some(event)
    }

    /// Adds a whole part, and returns it as its completed event. A part with an index is not added; the result is
    /// `None`.
    pub fn add_content(&mut self, mut part: InputContent) -> Option<InputContent> {
        if part.index.is_some() {
            return None;
        }
        part.index = Some(self.store(&part).into());
        part.msg_id = Some(self.id.clone().into());
        part.status = Some(RunStatus::Completed);
        Some(part)
    }

    /// Appends a copy of a part and returns its index.
    fn store(&mut self, part: &InputContent) -> u32 {
        let last = self.content.iter().map(|part| part.index).max();
        let index = last.map_or(0, |last| last.saturating_add(1));
        let mut content = Content::new(self.id.as_str(), index, part.payload.clone());
        content.sequence_number = part.sequence_number;
        content.status = part.status.clone().unwrap_or(RunStatus::InProgress);
        content.error.clone_from(&part.error);
        content.extra.clone_from(&part.extra);
        self.content.push(content);
        index
    }
}

fn grow(part: &mut Payload, piece: &Payload) -> Result<(), UsageError> {
    match (part, piece) {
        (Payload::Text { text: so_far }, Payload::Text { text: Some(text) }) => {
            so_far.as_mut().ok_or_else(null)?.push_str(text);
        }
        (Payload::Image { image_url: so_far }, Payload::Image { image_url: Some(url) }) => {
            so_far.as_mut().ok_or_else(null)?.push_str(url);
        }
        (Payload::Data { data: so_far }, Payload::Data { data: Some(data) }) => {
            merge(so_far.as_mut().ok_or_else(null)?, data, DataMerge::Message);
        }
        (Payload::Text { .. }, Payload::Text { text: None })
        | (Payload::Image { .. }, Payload::Image { image_url: None })
        | (Payload::Data { .. }, Payload::Data { data: None }) => return Err(null()),
        (Payload::Text { .. } | Payload::Image { .. } | Payload::Data { .. }, _) => {
            return Err(UsageError::new(
                "wrong-content-type",
                "add_delta_content() was given a piece of another type than the part at its index",
                "leave `index` out to begin a new part",
            ));
        }
        // Parts of other types ignore the piece, whatever its type.
        _ => {}
    }
    Ok(())
}

fn no_part(index: i64) -> UsageError {
    UsageError::new(
        "no-such-part",
        ["add_delta_content() was given index ", &decimal(index), ", which no part has"].concat(),
        "leave `index` out to begin a new part",
    )
}

fn null() -> UsageError {
    UsageError::new(
        "null-piece",
        "add_delta_content() was given null, or a part that holds null, to concatenate",
        "use an empty text or object",
    )
}
