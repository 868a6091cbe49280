import Testing

/// The behaviour that every credential store has; each test runs with every ``StoreKind``.
@Suite("Credential store contract")
struct CredentialStoreContract {}
