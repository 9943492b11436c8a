//! What models require of a request.

use super::{FORMAT, SETTINGS};
use crate::hub::conversation::MediaForm::{Audio, File, Image, Video};
use crate::hub::conversation::Requirements;
use crate::hub::conversation::google::{FILE_STARTS, PROVIDER};
use crate::hub::conversation::hosted::HostedOption;
use crate::hub::conversation::requirements::{
    ChoiceKinds, Instructions, Letters, NameRule, Strict, Thinking, ToolKinds, Way,
};

/// Any model: the API has the same form for all of them.
static ANY: Requirements = Requirements {
    format: FORMAT,
    provider: PROVIDER,
    file_starts: FILE_STARTS,
    settings: SETTINGS,
    keeps_member: |name| MEMBERS.contains(&name),
    call_ids: NameRule { max: 1_024, letters: Letters::Any },
    tool_names: NameRule { max: 64, letters: Letters::Word },
    instructions: Instructions::Front,
    refuses_blank: true,
    object_input: true,
    tools: ToolKinds {
        strict: Strict::Unknown,
        combined_schemas: true,
        hosted: &[("search", "google_search"), ("code", "code_execution"), ("mcp", "mcp_server")],
        hosted_options: &[HostedOption::AllowedTools, HostedOption::Authorization],
        ..Requirements::MODEL.tools
    },
    media: &[
        (Image, Way::Base64),
        (Image, Way::Url),
        (Image, Way::File),
        (Audio, Way::Base64),
        (Audio, Way::Url),
        (Audio, Way::File),
        (Video, Way::Base64),
        (Video, Way::Url),
        (Video, Way::File),
        (File, Way::Base64),
        (File, Way::Url),
        (File, Way::File),
    ],
    result_media: &[
        (Image, Way::Base64),
        (Image, Way::Url),
        (Image, Way::File),
        (Audio, Way::Base64),
        (Video, Way::Base64),
        (File, Way::Base64),
    ],
    media_detail: false,
    media_names: &[],
    result_errors: true,
    result_blocks: true,
    choices: ChoiceKinds::OfFunctions,
    thinking: Thinking {
        levels: &["minimal", "low", "medium", "high", "xhigh"],
        ..Requirements::MODEL.thinking
    },
    service_tiers: &["flex", "standard", "priority", "deferred"],
    max_stops: 5,
    max_seed: 0x7fff_ffff,
    ..Requirements::MODEL
};

/// The members of a request that are not steps, tools or settings. The ids of interactions are not
/// among them: an agent has those of its clients.
const MEMBERS: &[&str] = &[
    "agent",
    "agent_config",
    "background",
    "cached_content",
    "environment",
    "generation_config",
    "labels",
    "response_modalities",
    "safety_settings",
    "webhook_config",
];

/// Returns the requirements of a model.
pub(super) fn of(_: Option<&str>) -> &'static Requirements {
    &ANY
}
