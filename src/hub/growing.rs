//! Messages that grow: pieces of one kind that follow each other are one message.

/// The message that takes the next piece, if the piece is of its kind. A piece of another kind, a
/// call or a result ends it.
///
/// The name is not `Turn`: a [turn](super::conversation) is the input or the answer of one side,
/// which has any number of messages. And it is not a run, which is what the agent does for one
/// request.
#[derive(Debug)]
pub(crate) struct GrowingMessage<K, C = ()>(Option<Growing<K, C>>);

/// A message that has begun and not ended.
#[derive(Debug)]
pub(crate) struct Growing<K, C = ()> {
    /// Its number at the hub.
    pub message: u32,
    /// The property that its pieces have in common.
    pub kind: K,
    /// The data that its protocol keeps of it.
    pub content: C,
}

impl<K, C> Default for GrowingMessage<K, C> {
    fn default() -> Self {
        GrowingMessage(None)
    }
}

impl<K: Copy + PartialEq, C> GrowingMessage<K, C> {
    /// Returns the message that is growing.
    pub fn get_mut(&mut self) -> Option<&mut Growing<K, C>> {
        self.0.as_mut()
    }

    /// Returns the number of the message that is growing.
    pub fn number(&self) -> Option<u32> {
        self.0.as_ref().map(|growing| growing.message)
    }

    /// Returns the number of the message that takes a piece of that kind.
    pub fn number_for(&self, kind: K) -> Option<u32> {
        self.0.as_ref().filter(|growing| growing.kind == kind).map(|growing| growing.message)
    }

    /// Ends the message: the next piece begins another one. Returns it, to be closed at the hub.
    #[must_use]
    pub fn end(&mut self) -> Option<Growing<K, C>> {
        self.0.take()
    }
}

impl<K: Copy + PartialEq, C: Default> GrowingMessage<K, C> {
    /// Lets a message grow that was opened at the hub, after the end of the previous one. Returns
    /// its number.
    pub fn begin(&mut self, message: u32, kind: K) -> u32 {
        debug_assert!(self.0.is_none(), "a message grows until it is ended");
        self.0 = Some(Growing { message, kind, content: C::default() });
        message
    }
}
