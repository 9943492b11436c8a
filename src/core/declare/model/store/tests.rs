//! Tests of lists whose order changes.

use super::*;

#[test]
fn lists_are_put_in_any_order() {
    for places in
        [&[][..], &[0], &[4], &[4, 3, 2, 1, 0], &[1, 2, 3, 4, 0], &[4, 0, 1, 2, 3], &[2, 0, 3], &[3, 1]]
    {
        let mut list: Vec<usize> = (0..5).collect();
        arrange(&mut list, places, 5);
        assert_eq!(list, places);
    }
}
