//! The TypeScript types of snapshots, events and conversations, for crates that export them from
//! their own wasm.
//!
//! ```no_run
//! use agentwire::Reader;
//! use agentwire::adapters::web::{Ts, Tsify};
//! use agentwire::ag_kit::{AgKit, Snapshot};
//! use web_sys::wasm_bindgen::JsError;
//!
//! /// With `#[wasm_bindgen]`, the declaration is `read(stream: string): AgKitSnapshot`.
//! pub fn read(stream: &str) -> Result<Ts<Snapshot>, JsError> {
//!     let mut reader = Reader::new(AgKit::default());
//!     reader.push(stream.as_bytes());
//!     Ok(reader.finish().snapshot.into_ts()?)
//! }
//! ```
//!
//! The declarations of the types are in the `.d.ts` file that wasm-bindgen writes for the crate.

use serde::Serialize;
use serde_wasm_bindgen::{Error, Serializer};
use tsify::Tsify;
use web_sys::wasm_bindgen;
use web_sys::wasm_bindgen::JsCast;
use web_sys::wasm_bindgen::prelude::wasm_bindgen;

/// Declares the TypeScript types of Rust types: the feature, the file with the declarations, and
/// the names.
macro_rules! types {
    ($(
        $feature:literal $file:literal $Section:ident { $($Type:ty as $Js:ident = $name:literal;)* }
    )*) => {$(
        #[cfg(feature = $feature)]
        #[wasm_bindgen(typescript_custom_section)]
        const $Section: &str = include_str!($file);

        $(
            #[cfg(feature = $feature)]
            #[wasm_bindgen]
            extern "C" {
                #[doc = concat!("`", $name, "` in TypeScript.")]
                #[wasm_bindgen(typescript_type = $name)]
                #[derive(Debug)]
                pub type $Js;
            }

            #[cfg(feature = $feature)]
            impl Tsify for $Type {
                type JsType = $Js;
                const DECL: &'static str = include_str!($file);

                fn into_js(&self) -> Result<Self::JsType, Error> {
                    self.serialize(&Serializer::json_compatible()).map(JsCast::unchecked_from_js)
                }
            }
        )*
    )*};
}

types! {
    "web" "types/common.d.ts" COMMON {}
    "web" "types/conversation.d.ts" CONVERSATION {
        crate::hub::conversation::Conversation as JsConversation = "NeutralConversation";
    }
    "agent-api" "types/agent_api.d.ts" AGENT_API {
        crate::agent_api::Snapshot as AgentApiSnapshot = "AgentApiSnapshot";
    }
    "agentscope" "types/agentscope.d.ts" AGENTSCOPE {
        crate::agentscope::Snapshot as AgentScopeSnapshot = "AgentScopeSnapshot";
        crate::agentscope::events::Event<'_> as AgentScopeEvent = "AgentScopeEvent";
    }
    "ag-kit" "types/ag_kit.d.ts" AG_KIT {
        crate::ag_kit::Snapshot as AgKitSnapshot = "AgKitSnapshot";
        crate::ag_kit::events::Event<'_> as AgKitEvent = "AgKitEvent";
    }
    "ag-ui" "types/ag_ui.d.ts" AG_UI {
        crate::ag_ui::Snapshot as AgUiSnapshot = "AgUiSnapshot";
        crate::ag_ui::events::Event<'_> as AgUiEvent = "AgUiEvent";
    }
    "responses" "types/responses.d.ts" RESPONSES {
        crate::responses::Snapshot as ResponsesSnapshot = "ResponsesSnapshot";
        crate::responses::events::Event<'_> as ResponsesEvent = "ResponsesEvent";
    }
    "a2a" "types/a2a.d.ts" A2A {
        crate::a2a::Snapshot as A2aSnapshot = "A2aSnapshot";
        crate::a2a::events::Event<'_> as A2aEvent = "A2aEvent";
    }
    "ai-sdk" "types/ai_sdk.d.ts" AI_SDK {
        crate::ai_sdk::Snapshot as AiSdkSnapshot = "AiSdkSnapshot";
        crate::ai_sdk::events::Event<'_> as AiSdkEvent = "AiSdkEvent";
    }
    "chat" "types/chat.d.ts" CHAT {
        crate::chat::Snapshot as ChatSnapshot = "ChatSnapshot";
        crate::chat::events::Event<'_> as ChatEvent = "ChatEvent";
    }
    "anthropic" "types/anthropic.d.ts" ANTHROPIC {
        crate::anthropic::Snapshot as AnthropicSnapshot = "AnthropicSnapshot";
        crate::anthropic::events::Event<'_> as AnthropicEvent = "AnthropicEvent";
    }
    "gemini" "types/gemini.d.ts" GEMINI {
        crate::gemini::Snapshot as GeminiSnapshot = "GeminiSnapshot";
        crate::gemini::events::Event<'_> as GeminiEvent = "GeminiEvent";
    }
    "interactions" "types/interactions.d.ts" INTERACTIONS {
        crate::interactions::Snapshot as InteractionsSnapshot = "InteractionsSnapshot";
        crate::interactions::events::Event<'_> as InteractionsEvent = "InteractionsEvent";
    }
}
