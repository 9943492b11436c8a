//! What a target requires of a conversation, as data.

use super::hosted::HostedOption;
use super::settings::{SettingKey, SettingPaths};
use super::{MediaForm, MediaSource};
use crate::json::Value;

/// The requirements of a protocol, or of a family of models that is called in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Requirements {
    /// The protocol: the format of the opaque members that the target takes back.
    pub format: &'static str,
    /// Whose file ids the target knows. Empty: those of any provider.
    pub provider: &'static str,
    /// What the ids of its files start with; empty if they start with anything.
    pub file_starts: &'static [&'static str],
    /// Whether it carries the opaque members of other formats for the client, sealed in one string.
    pub carries_opaque: bool,
    /// Why it receives only the new turns; `None` if it receives the whole conversation.
    pub new_turns_only: Option<&'static str>,
    /// Whether a request has either answers, or results, or messages, and answers and results repeat
    /// their calls.
    pub resumes: bool,
    /// Whether it takes the whole conversation if this has no id, so that the server does not have
    /// it.
    pub takes_history: bool,
    /// Whether it knows conversations by their id.
    pub conversation_id: bool,
    /// The settings of the protocol.
    pub settings: SettingPaths,
    /// Those that the server has at another place.
    pub spellings: SettingPaths,
    /// Those that the model does not have.
    pub without: &'static [SettingKey],
    /// Whether a member of a request of another protocol is one of the target: agents add members
    /// for their model.
    pub keeps_member: fn(&str) -> bool,
    /// Members of the request that only shape or identify the answer, so that their loss means
    /// nothing. `id` is the id of the run.
    pub of_answer: &'static [&'static str],
    /// The ids of calls.
    pub call_ids: NameRule,
    /// The names of tools.
    pub tool_names: NameRule,
    /// The ids of messages.
    pub message_ids: MessageIds,
    /// The names of authors; `None` if messages have none.
    pub author_names: Option<NameRule>,
    /// Whether the newer spelling of the role of instructions is accepted.
    pub developer: bool,
    /// Where instructions are allowed.
    pub instructions: Instructions,
    /// Whether neighbours of one role are one turn, and the first turn is the user's.
    pub alternates: bool,
    /// The type of a block of the target's own with which an answer may begin the conversation.
    pub begins_with: &'static str,
    /// The member of a request of the target's own that continues another one without a message.
    pub continued_by: &'static str,
    /// Whether the last turn must not be an answer, so that the model does not continue it.
    pub ends_with_user: bool,
    /// Whether an answer that the model continues must not end with spaces.
    pub trims_end: bool,
    /// Whether turns without a part, and requests without a message of the user, are refused.
    pub needs_content: bool,
    /// Whether every call needs its result, and every result its call.
    pub needs_results: bool,
    /// Whether blank texts are refused.
    pub refuses_blank: bool,
    /// Whether arguments are objects. Otherwise they are text.
    pub object_input: bool,
    /// The tools that it has.
    pub tools: ToolKinds,
    /// What stands for the state of a call that another model has made, in the current turn: a
    /// member of the call or of its message.
    pub placeholder: Option<(&'static str, Placeholder)>,
    /// Reasoning without the state of the target.
    pub reasoning: Reasoning,
    /// Whether reasoning must be followed by something of the same answer.
    pub leading_reasoning: bool,
    /// The media in messages of the user.
    pub media: &'static [(MediaForm, Way)],
    /// Whether messages of other roles than the user's have these media, too.
    pub media_of_all: bool,
    /// The media in results of tools.
    pub result_media: &'static [(MediaForm, Way)],
    /// Whether results that are errors have these media, too.
    pub error_media: bool,
    /// Whether images have the resolution at which a model looks at them.
    pub media_detail: bool,
    /// The media that have a name, by kind.
    pub media_names: &'static [MediaForm],
    /// The media types that it takes as base64, by kind. Those of a kind that is not listed are
    /// any.
    pub media_types: &'static [(MediaForm, &'static [&'static str])],
    /// Whether results have a flag for errors.
    pub result_errors: bool,
    /// Whether the results of tools of the provider are blocks of their own, which must follow
    /// their calls.
    pub result_blocks: bool,
    /// Whether there are questions and answers of the user.
    pub questions: bool,
    /// Whether an answer is either yes or no.
    pub decisions: bool,
    /// The highest number of answers to questions in one request.
    pub max_answers: usize,
    /// Whether the history has the questions of the agent. Otherwise the server that has asked them
    /// knows them.
    pub asked: bool,
    /// Whether data that is not text has a place in messages.
    pub data: bool,
    /// Whether there are cache breakpoints in messages.
    pub cache: bool,
    /// The highest number of cache breakpoints.
    pub max_cache: usize,
    /// The structured answers that it has.
    pub output: OutputKinds,
    /// The choices of tools that it has.
    pub choices: ChoiceKinds,
    /// Whether functions exclude tools of the provider, and structured answers.
    pub lone_functions: bool,
    /// The highest temperature.
    pub max_temperature: f64,
    /// How the sampling of tokens can be controlled.
    pub sampling: Sampling,
    /// The highest number of output tokens, if it is known.
    pub max_output: Option<i64>,
    /// The number of output tokens that is sent if a request has none; `None` if it is not
    /// required.
    pub default_output: Option<i64>,
    /// Whether texts that end the answer can be blank.
    pub blank_stops: bool,
    /// The least maximum of output tokens.
    pub min_output: i64,
    /// The highest number of answers.
    pub max_count: i64,
    /// The highest number of texts that end the answer.
    pub max_stops: usize,
    /// The highest seed, and the lowest one with the other sign.
    pub max_seed: i64,
    /// How it is told to think.
    pub thinking: Thinking,
    /// The service tiers; empty if there are none to check.
    pub service_tiers: &'static [&'static str],
    /// The settings that are only sent with tools.
    pub with_tools: &'static [SettingKey],
    /// Whether metadata is only accepted in requests that are stored.
    pub metadata_needs_store: bool,
}

/// A placeholder that a provider documents for the state of other models.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Placeholder {
    /// A text.
    Text(&'static str),
    /// A text at a path below the member.
    At(&'static str, &'static str),
    /// A list with one item, which belongs to the message. It is made for the id of the call. The
    /// item has this type.
    OfMessage(&'static str, fn(&str) -> Value),
}

/// The rule for names and ids.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameRule {
    /// The maximum length in bytes.
    pub max: usize,
    /// The letters.
    pub letters: Letters,
}

/// The letters of names and ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Letters {
    /// Any character.
    Any,
    /// ASCII letters, digits, `_` and `-`.
    Plain,
    /// These, and a letter or `_` in front.
    Word,
    /// ASCII letters and digits, and neither fewer nor more than the maximum.
    Exact,
}

/// The ids of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MessageIds {
    /// Messages have no ids.
    None,
    /// Any id is accepted.
    Any,
}

/// Where instructions are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instructions {
    /// Nowhere: they become text of the user.
    Nowhere,
    /// In front of all other turns. Later ones become text of the user.
    Front,
    /// In front, and at the end of a turn of the user. Others become text of the user.
    AfterUser,
    /// Between other turns.
    Anywhere,
}

/// The tools of a target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToolKinds {
    /// Whether there are functions.
    pub functions: bool,
    /// Whether there are tools whose input is a text.
    pub custom: bool,
    /// Whether there are namespaces.
    pub namespaces: bool,
    /// Whether turns can add tools.
    pub in_turns: bool,
    /// Whether functions can be strict, and are without saying so.
    pub strict: Strict,
    /// Whether the schema of arguments can be made of others: `anyOf`, `oneOf`, `allOf`.
    pub combined_schemas: bool,
    /// Whether there are cache breakpoints after functions.
    pub cache: bool,
    /// The tools of the provider, by purpose, each with the name that the target has for it.
    pub hosted: &'static [(&'static str, &'static str)],
    /// The options of these tools that the target has, in any spelling.
    pub hosted_options: &'static [HostedOption],
    /// Whether declarations of other protocols are passed on unchanged.
    pub foreign: bool,
}

/// Strict functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strict {
    /// There are none.
    Unknown,
    /// Functions are strict if they say so.
    Optional,
    /// Functions are strict unless they say no.
    Default,
}

/// Reasoning of other models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reasoning {
    /// It is refused or ignored.
    Never,
    /// It is the text of a member of the message, which messages with calls must have.
    Member(&'static str),
    /// It is accepted as text.
    Text,
}

/// Structured answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputKinds {
    /// There are none.
    None,
    /// Any JSON object.
    Object,
    /// With a JSON Schema only.
    Schema,
    /// With a JSON Schema, or any JSON object.
    SchemaOrObject,
}

/// Choices of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChoiceKinds {
    /// There are none.
    None,
    /// Automatic, none.
    Unforced,
    /// Automatic, none, required, by name.
    Simple,
    /// These, and some of the tools.
    Allowed,
    /// The same of functions only: tools of the provider cannot be chosen.
    OfFunctions,
}

/// How the sampling of tokens can be controlled: its temperature, and the probabilities and the
/// number of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sampling {
    /// In every way.
    Any,
    /// With a temperature or a probability.
    One,
    /// Only if the model does not reason.
    WithoutReasoning,
    /// Not at all.
    Never,
}

/// The effort that is sent in requests with functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolEffort {
    /// Any.
    Any,
    /// `none` if an effort is given. It is the default.
    NoneIfGiven,
    /// `none`, which is not the default.
    None,
}

/// How a target is told to think.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thinking {
    /// The values that the setting [`Thinking`](SettingKey::Thinking) can have. Empty if there is
    /// no such setting.
    pub modes: &'static [&'static str],
    /// The levels of effort that it has, from the lowest. Empty if it has none.
    pub levels: &'static [&'static str],
    /// The effort in requests with functions.
    pub with_functions: ToolEffort,
    /// The least number of tokens for thinking; `None` if it takes no number.
    pub min_budget: Option<i64>,
    /// The greatest number of tokens for thinking.
    pub max_budget: Option<i64>,
    /// Whether the maximum of output tokens includes the tokens for thinking, and must be greater.
    pub within_maximum: bool,
    /// Whether thinking excludes the control of sampling, and forced tools.
    pub exclusive: bool,
    /// Whether the current tool loop must have its reasoning if thinking is on.
    pub needs_state: bool,
}

/// How the bytes of media are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Url,
    Base64,
    File,
    Text,
}

impl MediaSource {
    pub(crate) fn way(&self) -> Way {
        match self {
            MediaSource::Url(_) => Way::Url,
            MediaSource::Base64(_) => Way::Base64,
            MediaSource::File { .. } => Way::File,
            MediaSource::Text(_) => Way::Text,
        }
    }
}

/// All media in every way: for agents, which are given whatever the client has.
pub(crate) const ANY_MEDIA: &[(MediaForm, Way)] = {
    use MediaForm::{Audio, File, Image, Video};
    &[
        (Image, Way::Url),
        (Image, Way::Base64),
        (Image, Way::File),
        (Audio, Way::Url),
        (Audio, Way::Base64),
        (Audio, Way::File),
        (Video, Way::Url),
        (Video, Way::Base64),
        (Video, Way::File),
        (File, Way::Url),
        (File, Way::Base64),
        (File, Way::File),
        (File, Way::Text),
    ]
};

/// All media but text documents, which are sent as text.
pub(crate) const LOCATED_MEDIA: &[(MediaForm, Way)] = match ANY_MEDIA {
    [located @ .., (MediaForm::File, Way::Text)] => located,
    all => all,
};

/// Media whose bytes are given, or a URL.
pub(crate) const SENT_MEDIA: &[(MediaForm, Way)] = {
    use MediaForm::{Audio, File, Image, Video};
    &[
        (Image, Way::Url),
        (Image, Way::Base64),
        (Audio, Way::Url),
        (Audio, Way::Base64),
        (Video, Way::Url),
        (Video, Way::Base64),
        (File, Way::Url),
        (File, Way::Base64),
    ]
};

impl Requirements {
    /// An agent that requires nothing: it receives the conversation as the client has it. Protocols
    /// of agents say what differs.
    pub(crate) const AGENT: Requirements = Requirements {
        format: "",
        provider: "",
        file_starts: &[],
        carries_opaque: true,
        new_turns_only: None,
        resumes: false,
        takes_history: true,
        conversation_id: true,
        settings: &[],
        spellings: &[],
        without: &[],
        keeps_member: |_| false,
        of_answer: &[
            "id",
            "include",
            "messageId",
            "parentRunId",
            "stream",
            "stream_options",
            "trigger",
        ],
        call_ids: NameRule { max: 1_024, letters: Letters::Any },
        tool_names: NameRule { max: 1_024, letters: Letters::Any },
        message_ids: MessageIds::Any,
        author_names: Some(NameRule { max: 1_024, letters: Letters::Any }),
        developer: true,
        instructions: Instructions::Anywhere,
        alternates: false,
        begins_with: "",
        continued_by: "",
        ends_with_user: false,
        trims_end: false,
        needs_content: false,
        needs_results: false,
        refuses_blank: false,
        object_input: false,
        tools: ToolKinds {
            functions: true,
            custom: false,
            namespaces: false,
            in_turns: false,
            strict: Strict::Optional,
            combined_schemas: false,
            cache: false,
            hosted: &[],
            hosted_options: &[],
            foreign: false,
        },
        placeholder: None,
        reasoning: Reasoning::Text,
        leading_reasoning: false,
        media: ANY_MEDIA,
        media_of_all: true,
        result_media: ANY_MEDIA,
        error_media: true,
        media_detail: true,
        media_names: &[MediaForm::Image, MediaForm::Audio, MediaForm::Video, MediaForm::File],
        media_types: &[],
        result_errors: true,
        result_blocks: false,
        questions: true,
        decisions: false,
        max_answers: usize::MAX,
        asked: true,
        data: true,
        cache: false,
        max_cache: usize::MAX,
        output: OutputKinds::None,
        choices: ChoiceKinds::None,
        lone_functions: false,
        sampling: Sampling::Any,
        max_output: None,
        default_output: None,
        max_temperature: f64::INFINITY,
        blank_stops: true,
        min_output: 1,
        max_count: i64::MAX,
        max_stops: usize::MAX,
        max_seed: i64::MAX,
        thinking: Thinking {
            modes: &[],
            levels: &[],
            with_functions: ToolEffort::Any,
            min_budget: None,
            max_budget: None,
            within_maximum: false,
            exclusive: false,
            needs_state: false,
        },
        service_tiers: &[],
        with_tools: &[],
        metadata_needs_store: false,
    };

    /// The API of a model without anything that only some have. Protocols of models say what
    /// differs.
    pub(crate) const MODEL: Requirements = Requirements {
        carries_opaque: false,
        conversation_id: false,
        call_ids: NameRule { max: 64, letters: Letters::Plain },
        tool_names: NameRule { max: 64, letters: Letters::Plain },
        message_ids: MessageIds::None,
        author_names: None,
        needs_content: true,
        needs_results: true,
        reasoning: Reasoning::Never,
        media: &[],
        media_of_all: false,
        result_media: &[],
        result_errors: false,
        questions: false,
        data: false,
        output: OutputKinds::SchemaOrObject,
        choices: ChoiceKinds::Allowed,
        max_temperature: 2.0,
        ..Requirements::AGENT
    };

    /// Whether the target has a setting.
    pub(crate) fn has_setting(&self, key: SettingKey) -> bool {
        self.settings.iter().any(|(_, known)| *known == key) && !self.without.contains(&key)
    }
}
