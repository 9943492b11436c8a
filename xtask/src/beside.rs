//! Work of which several pieces are done at the same time.

use std::{
    panic,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// As many as this are at work at once.
pub fn workers(pieces: usize) -> usize {
    thread::available_parallelism().map_or(1, usize::from).min(pieces)
}

/// Does the work for every item, begun in their order; returns what it came to, in the order of the items.
pub fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return done };
            done.push((at, work(item)));
        }
    };
    let mut done = thread::scope(|scope| {
        let workers: Vec<_> = (0..workers(items.len())).map(|_| scope.spawn(worker)).collect();
        let ends = workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| panic::resume_unwind(panic)));
        ends.flatten().collect::<Vec<_>>()
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use std::{thread, time::Duration};

    #[test]
    fn results_are_in_the_order_of_the_items() {
        // The first are done last.
        let doubled = super::each(&[30, 20, 10, 0], |&item| {
            thread::sleep(Duration::from_millis(item));
            item * 2
        });
        assert_eq!(doubled, [60, 40, 20, 0]);
        assert!(super::each(&[], |item: &u8| *item).is_empty());
    }
}
