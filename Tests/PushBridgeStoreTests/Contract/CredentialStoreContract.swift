import Testing

/// The behaviour that every credential store has.
///
/// Each test runs with every ``StoreKind``, or with the general stores if the legacy SDK's items cannot contain the
/// test's records.
@Suite("Credential store contract")
struct CredentialStoreContract {}
