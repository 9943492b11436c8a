//! The hub's steps as lines of JSON: how protocols that are written in another language take part.
//!
//! One object per line, `type` names the step ([`Step`](crate::hub::Step)); numbers and texts as there.
//!
//! | `type` | members |
//! |---|---|
//! | `start` | `id`, `sessionId` (optional) |
//! | `open` | `message`, `messageType`, `role`, `id` (optional) |
//! | `text`, `reasoning`, `refusal`, `arguments` | `message`, `part`, `piece` |
//! | `call` | `message`, `part`, `id`, `name`, `more` (an object, optional) |
//! | `result` | `message`, `part`, `id`, `name` (optional), `output`, `more` (optional) |
//! | `interrupt` | `message`, `part`, `id`, `reason` (optional), `payload` |
//! | `whole` | `message`, `part`, `content`: an Agent API content without its envelope, `{"type":"image","image_url":…}` |
//! | `end-part` | `message`, `part`, `whole` |
//! | `close` | `message`, `status`, and optional `error`, `code`, `text`, `usage`, `metadata` |
//! | `heartbeat` | |
//! | `end` | `status`, and optional `error` (`code`, `message`), `reason`, `usage` |

mod read;
mod write;

pub use read::FromSteps;
pub use write::ToSteps;
