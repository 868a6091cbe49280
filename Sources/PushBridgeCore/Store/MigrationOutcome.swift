/// What became of a legacy record.
public enum MigrationOutcome: String, CaseIterable, Codable, Sendable {
    /// Converted, stored, read back, equivalent.
    case migrated
    /// The same credential was there already.
    case alreadyPresent
    /// No credential to make; kept verbatim.
    case kept
    /// The same id is there with another secret.
    case conflict
    /// Sound, but the new model has no place for it; kept verbatim.
    case unsupported
    /// The bytes cannot be read, or a required field is missing.
    case damaged
    /// Could not be opened now; try again later.
    case locked
    /// Can never be opened; the user must enrol again.
    case undecryptable

    /// Whether the source record may be removed once it was proven.
    public var isRetirable: Bool {
        switch self {
        case .migrated, .alreadyPresent, .kept: true
        case .conflict, .unsupported, .damaged, .locked, .undecryptable: false
        }
    }

    /// Whether the record itself, not a credential made from it, is held in the store.
    public var isPreserved: Bool { self == .kept || self == .unsupported }
}
