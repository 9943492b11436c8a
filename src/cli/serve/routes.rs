//! Which upstreams answer a request, by the model that it names.

mod config;
mod pattern;

use std::sync::Arc;

use agentwire::ProtocolKind;
use agentwire::emit::ListedModel;
use agentwire::json::Value;

pub use config::{ModelConfig, Price, RoutesConfig, TargetConfig, UpstreamConfig};
pub use pattern::Pattern;

use super::upstream::Upstream;
use crate::input::Unreadable;

/// The routes of a gateway.
pub struct Routes {
    upstreams: Vec<Arc<Upstream>>,
    models: Vec<ModelRoute>,
    /// The model of requests that name none, or one without a route.
    default: Option<String>,
}

struct ModelRoute {
    name: Pattern,
    targets: Vec<(Arc<Upstream>, TargetConfig)>,
    price: Option<Price>,
    context_window: Option<u64>,
}

/// The upstreams that a request is sent to, in this order, until one answers.
pub struct Route<'r> {
    /// The name or the pattern of the configuration.
    pub name: &'r str,
    /// The model as the routes name it; `None` for an agent, which has no models.
    pub model: Option<String>,
    /// At least one.
    pub targets: Vec<Target<'r>>,
}

/// An upstream, and the model that it is asked for.
#[derive(Clone)]
pub struct Target<'r> {
    /// The upstream.
    pub upstream: &'r Arc<Upstream>,
    /// The name of the model there; `None` for an agent.
    pub model: Option<String>,
    /// The price of the tokens.
    pub price: Option<Price>,
    /// The members of requests that have none of these names.
    pub settings: Option<&'r Value>,
}

/// Refuses models that no request can have, because of an earlier one.
fn check_order(models: &[ModelRoute]) -> Result<(), Unreadable> {
    for (at, model) in models.iter().enumerate() {
        let is_exact = model.name.exact().is_some();
        let hides = |earlier: &&ModelRoute| match is_exact {
            true => earlier.name.text() == model.name.text(),
            false => earlier.name.exact().is_none() && earlier.name.covers(&model.name),
        };
        if let Some(earlier) = models[..at].iter().find(hides) {
            let (name, earlier) = (model.name.text(), earlier.name.text());
            return Err(Unreadable(match name == earlier {
                true => format!("there are two models {name}"),
                false => format!(
                    "the model {name} is never used: {earlier} is before it and has all of its names"
                ),
            }));
        }
    }
    Ok(())
}

impl Routes {
    /// Connects models with upstreams.
    pub fn new(config: &RoutesConfig) -> Result<Self, Unreadable> {
        let mut upstreams: Vec<Arc<Upstream>> = Vec::new();
        for upstream in &config.upstreams {
            if upstreams.iter().any(|known| known.name() == upstream.name) {
                return Err(Unreadable(format!("two upstreams have the name {}", upstream.name)));
            }
            upstreams.push(Arc::new(Upstream::new(upstream, config.strict)?));
        }
        if upstreams.is_empty() {
            return Err(Unreadable("there is no upstream".into()));
        }
        let found = |model: &ModelConfig, target: &TargetConfig| {
            let upstream = upstreams.iter().find(|known| known.name() == target.upstream);
            let upstream = upstream.ok_or_else(|| {
                let (model, name) = (&model.name, &target.upstream);
                Unreadable(format!("the model {model} has the upstream {name}, which is not one"))
            })?;
            Ok((upstream.clone(), target.clone()))
        };
        let models = config.models.iter().map(|model| {
            let targets = model.upstreams.iter().map(|target| found(model, target));
            let targets = targets.collect::<Result<Vec<_>, Unreadable>>()?;
            if targets.is_empty() {
                return Err(Unreadable(format!("the model {} has no upstream", model.name)));
            }
            Ok(ModelRoute {
                name: Pattern::new(&model.name),
                targets,
                price: model.price,
                context_window: model.context_window,
            })
        });
        let models = models.collect::<Result<Vec<_>, Unreadable>>()?;
        check_order(&models)?;
        let routes = Routes { upstreams, models, default: config.default_model.clone() };
        match &routes.default {
            Some(name) if routes.of(name).is_none() => {
                Err(Unreadable(format!("the default model {name} has no route")))
            }
            _ if routes.models.is_empty() => Err(Unreadable("there is no model".into())),
            _ => Ok(routes),
        }
    }

    /// Returns all upstreams.
    pub fn upstreams(&self) -> &[Arc<Upstream>] {
        &self.upstreams
    }

    /// Returns the upstreams of a request: those of the first model whose name or pattern matches,
    /// where exact names precede patterns; otherwise those of the default model.
    pub fn route(&self, requested: Option<&str>) -> Option<Route<'_>> {
        let requested = requested.filter(|name| !name.is_empty());
        let named = requested.and_then(|name| self.of(name));
        named.or_else(|| self.of(self.default.as_deref()?)).or_else(|| self.agent())
    }

    /// Returns the names that requests may have, without patterns; that of the default model is the
    /// first one.
    pub fn models(&self) -> impl Iterator<Item = &str> {
        let exact = self.models.iter().filter_map(|model| model.name.exact());
        let others = exact.filter(|name| self.default.as_deref() != Some(*name));
        self.default.as_deref().into_iter().chain(others)
    }

    /// Returns these models for a list.
    pub fn listed(&self) -> Vec<ListedModel> {
        let described = |name: &str| {
            let route = self.models.iter().find(|model| model.name.exact() == Some(name));
            let mut listed = ListedModel::new(name);
            listed.context_window = route.and_then(|model| model.context_window);
            listed
        };
        self.models().map(described).collect()
    }

    /// Whether a request may name this model.
    pub fn has(&self, model: &str) -> bool {
        self.of(model).is_some()
    }

    /// Whether an upstream has this protocol.
    pub fn have(&self, protocol: ProtocolKind) -> bool {
        let mut targets = self.models.iter().flat_map(|model| &model.targets);
        targets.any(|(upstream, _)| upstream.protocol() == protocol)
    }

    fn of(&self, name: &str) -> Option<Route<'_>> {
        let exact = self.models.iter().find(|model| model.name.exact() == Some(name));
        let patterns = || self.models.iter().find(|model| model.name.matches(name).is_some());
        let model = exact.or_else(patterns)?;
        let matched = model.name.matches(name)?;
        let targets = model.targets.iter().map(|(upstream, target)| Target {
            upstream,
            model: match &target.model {
                Some(renamed) => Some(renamed.replacen('*', matched, 1)),
                None => upstream.is_model().then(|| name.into()),
            },
            price: target.price.or(model.price),
            settings: target.settings.as_ref(),
        });
        Some(Route {
            name: model.name.text(),
            model: Some(name.into()),
            targets: targets.collect(),
        })
    }

    /// Returns the first route for requests to an agent, which need not name a model.
    fn agent(&self) -> Option<Route<'_>> {
        let is_agent = |model: &&ModelRoute| {
            model.name.matches("").is_some()
                && model.targets.iter().all(|(upstream, _)| !upstream.is_model())
        };
        let model = self.models.iter().find(is_agent)?;
        let targets = model.targets.iter().map(|(upstream, target)| Target {
            upstream,
            model: None,
            price: target.price.or(model.price),
            settings: target.settings.as_ref(),
        });
        Some(Route { name: model.name.text(), model: None, targets: targets.collect() })
    }
}
