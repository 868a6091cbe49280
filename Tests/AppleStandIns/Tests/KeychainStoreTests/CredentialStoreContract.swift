import Testing

/// What every credential store does; each test runs against every ``StoreKind``.
@Suite("Credential store contract")
struct CredentialStoreContract {}
