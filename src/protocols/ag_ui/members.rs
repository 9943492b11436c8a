//! Members of the JSON inside of events.

use alloc::string::String;

use super::model::Role;
use crate::json::Element;

/// Returns the id and the role of a message, and the message itself.
pub(super) fn head<'d, 'a>(message: Element<'d, 'a>) -> Option<(String, Role, Element<'d, 'a>)> {
    let id = member(message, "id")?.string().ok()?.to_str().into_owned();
    let role = role_of(&member(message, "role")?.string().ok()?.to_str())?;
    Some((id, role, message))
}

/// Returns the last member of that name.
pub(super) fn member<'d, 'a>(object: Element<'d, 'a>, name: &str) -> Option<Element<'d, 'a>> {
    object.member(name)
}

/// Returns the role of that name.
pub(super) fn role_of(name: &str) -> Option<Role> {
    Role::ALL.iter().copied().find(|role| role.as_str() == name)
}
