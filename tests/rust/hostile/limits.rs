//! Each limit of `Limits`: a value at the limit passes, a value above it is reported with its name,
//! and reading continues.

use agentwire::Limits;
use agentwire::Report;
use agentwire::internals::patch::PatchBuffer;
use agentwire::read::AnyStream;

use crate::streams::{Template, set};

fn report(case: &Template, n: u64) -> Report {
    let mut choices = case.choices();
    set(&mut choices.options.limits, case.text("limit"), case.limit());
    let mut patch = PatchBuffer::default();
    let mut stream = AnyStream::new(Some(case.protocol()), choices, &mut patch);
    stream.push(&case.bytes(n), &mut patch);
    stream.abort(&mut patch);
    stream.report().clone()
}

#[test]
fn values_at_a_limit_pass_and_values_above_it_are_reported() {
    let mut wrong = Vec::new();
    for case in Template::all("limits.json") {
        let (at, rule) = (case.at(), case.text("rule"));
        let (fits, past) = (report(&case, at), report(&case, at + 1));
        let name = format!("{}, {}", case.text("limit"), case.text("name"));
        // An event of unreadable data is long enough to have a limit, and no event.
        if fits.count(rule) != 0 {
            wrong.push(format!("{name}: at the limit: {}", fits.violations_to_json(0)));
        }
        if past.count(rule) == 0 {
            wrong.push(format!("{name}: one past it: {}", past.to_json()));
        }
        let says =
            past.violations.iter().any(|violation| violation.got.contains(&case.report_name()));
        if rule == "limit-exceeded" && !says {
            wrong.push(format!(
                "{name}: does not name `{}`: {}",
                case.report_name(),
                past.violations_to_json(0)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every limit has a case, so that a new limit gets one.
#[test]
fn every_limit_has_a_test_case() {
    let all = format!("{:?}", Limits::default());
    let names =
        all.trim_start_matches("Limits { ").split(", ").filter_map(|field| field.split(':').next());
    let cases = Template::all("limits.json");
    for name in names {
        // These limits bound the lists of a report: see tests/rust/integration/agent_api/limits.rs.
        let elsewhere = ["violations", "unknown"].contains(&name);
        let has_case = cases
            .iter()
            .any(|case| case.report_name() == name || snake(case.text("limit")) == name);
        assert!(elsewhere || has_case, "{name}");
    }
}

fn snake(name: &str) -> String {
    let letters = name.chars().map(|letter| match letter.is_uppercase() {
        true => format!("_{}", letter.to_lowercase()),
        false => letter.to_string(),
    });
    letters.collect()
}

impl Template {
    /// The limit's value.
    fn limit(&self) -> u64 {
        self.optional("value").unwrap_or(self.number("bound") as i64) as u64
    }

    /// The size of the stream that is at the limit.
    fn at(&self) -> u64 {
        (self.number("bound") as i64 + self.optional("offset").unwrap_or(0)) as u64
    }

    /// Returns the name of the limit in a report.
    fn report_name(&self) -> String {
        snake(self.text("limit"))
    }
}
