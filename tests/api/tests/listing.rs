//! The public API, one line for each item. `UPDATE_SNAPSHOTS=yes cargo xtask test api` accepts the present one.

#[test]
fn the_public_api_is_the_committed_one() -> Result<(), Box<dyn std::error::Error>> {
    let json = rustdoc_json::Builder::default()
        .manifest_path("../../Cargo.toml")
        .target_dir("../../target/api")
        .features(["axum", "futures", "reqwest"])
        .build()?;
    let api = public_api::Builder::from_rustdoc_json(json)
        .omit_auto_derived_impls(true)
        .omit_auto_trait_impls(true)
        .omit_blanket_impls(true)
        .build()?;
    snapshot_testing::assert_eq_or_update(api.to_string(), "../public-api.txt");
    Ok(())
}
