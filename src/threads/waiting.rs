//! Messages to a thread with an active run.

use std::sync::Arc;

use super::following::Until;
use super::refusal::Refusal;
use super::thread::{CreatedRun, NewThreadRun, Thread};
use crate::protocols::runs::problem::Code;

/// What happens with a message to a conversation in which an answer is being written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum WhileRunning {
    /// It is refused with status 409.
    #[default]
    Refuse,
    /// It waits for the end of the answer.
    Enqueue,
    /// It stops the answer before.
    Interrupt,
}

impl Thread {
    /// Creates a run, also if the client leaves meanwhile. While another one is active, it is
    /// refused, waits for the end of the other one, or stops it before. The runs that wait in this
    /// process begin in the order of their requests.
    pub async fn create_in_turn(
        self: &Arc<Self>,
        run: NewThreadRun,
        while_running: WhileRunning,
    ) -> Result<CreatedRun, Refusal> {
        if while_running == WhileRunning::Refuse {
            return self.create_completely(run).await;
        }
        let _turn = match self.turn.try_lock() {
            Ok(turn) => turn,
            Err(_) => {
                // A repeated request does not wait.
                if let Some(known) = self.repeated(&run).await? {
                    return Ok(known);
                }
                self.turn.lock().await
            }
        };
        let mut interrupts = while_running == WhileRunning::Interrupt;
        loop {
            match self.create_completely(run.clone()).await {
                Err(refusal) if is_active(&refusal) => {}
                created => return created,
            }
            // A run that another process begins meanwhile can be that of a later message.
            if std::mem::take(&mut interrupts) {
                self.cancel(&run.owner, None).await?;
            }
            self.entries(Some(&run.owner), None, Until::End).await?;
        }
    }

    async fn create_completely(self: &Arc<Self>, run: NewThreadRun) -> Result<CreatedRun, Refusal> {
        let thread = self.clone();
        self.threads.completed(async move { thread.create(run).await }).await
    }

    /// Returns the run of an earlier request that a request repeats.
    async fn repeated(self: &Arc<Self>, run: &NewThreadRun) -> Result<Option<CreatedRun>, Refusal> {
        let NewThreadRun { owner, input, hash, key, .. } = run;
        let _open = self.open().await?;
        let state = self.read().await?;
        let run_id = self.kind.run_id_in(input);
        match self.known(state.as_ref(), owner, &run_id, hash, key.as_deref()).await {
            Err(refusal) if is_active(&refusal) => Ok(None),
            known => known,
        }
    }
}

/// Whether a run was refused because another one is active.
pub(crate) fn is_active(refusal: &Refusal) -> bool {
    matches!(refusal, Refusal::Client(refused) if refused.code == Code::RunActive)
}
