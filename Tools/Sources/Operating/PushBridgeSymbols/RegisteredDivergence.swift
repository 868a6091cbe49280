/// An intended difference in behaviour, and the symbols whose uses may be affected by the difference.
///
/// The registers in the documents contain the same texts, and `SymbolTests` compares them. `PushParity` uses the
/// texts of the differences between the APIs, and adds a condition that recognises each difference.
public struct RegisteredDivergence: Sendable {
    /// The identifier, which is stable across versions.
    public let id: String
    /// The behaviour of the legacy API, or of the SDK.
    public let legacy: String
    /// The behaviour of the async API, or of PushBridge's legacy API.
    public let here: String
    /// The reason for the difference.
    public let why: String
    /// The symbols whose uses may be affected, written as in ``SymbolRow/subject``.
    public let metBy: String
    /// The only role in which uses of these symbols may be affected; `nil` if all roles may be affected.
    public let only: SymbolRole?

    init(
        _ id: String,
        legacy: String,
        here: String,
        why: String,
        metBy: String,
        only: SymbolRole? = nil
    ) {
        self.id = id
        self.legacy = legacy
        self.here = here
        self.why = why
        self.metBy = metBy
        self.only = only
    }

    /// The registers of differences.
    public enum Register: String, CaseIterable, Sendable {
        /// The differences between `FRAuthenticator` and the async API, which are relevant in step 3 of MIGRATION.md.
        case betweenAPIs = "between the APIs"
        /// The differences between the ForgeRock SDK and this package's `FRAuthenticator`, which are relevant in steps
        /// 1 and 2 of MIGRATION.md.
        case fromSDK = "from the SDK"

        /// The rows of the register.
        public var divergences: [RegisteredDivergence] {
            switch self {
            case .betweenAPIs: RegisteredDivergence.betweenAPIs
            case .fromSDK: RegisteredDivergence.fromSDK
            }
        }
    }

    /// The place of the divergence in the documents.
    public var place: DocumentPlace { DocumentPlace(page: .divergences, anchor: id) }

    /// Both behaviours, in the form `Before: …; then: …`.
    public var sentence: String {
        let legacy = legacy.hasSuffix(".") ? String(legacy.dropLast()) : legacy
        return "Before: \(legacy); then: \(here)"
    }

    /// Returns whether a use of a symbol may be affected by the difference.
    /// - Parameters:
    ///   - owners: The containing types. The outermost type comes first.
    ///   - name: The symbol's name, with argument labels if it has any.
    ///   - role: The role of the symbol in the use.
    /// - Returns: `true` if the use may be affected.
    public func isMet(owners: [String], name: String, as role: SymbolRole) -> Bool {
        if let only, only != role { return false }
        return SymbolName.groups(metBy).contains { group in
            guard group.owners.isEmpty || owners.last.map(group.owners.contains) == true else { return false }
            return group.members.contains { member in
                group.owners.isEmpty == owners.isEmpty
                    && (member == name || !member.contains("(") && member == SymbolName.base(of: name))
            }
        }
    }
}

/// The role of a symbol in a use.
public enum SymbolRole: String, CaseIterable, Sendable {
    /// The symbol is called.
    case call
    /// The value is read.
    case read
    /// The value is written.
    case write
    /// A type conforms to or inherits from the symbol.
    case conformance
    /// A declaration overrides the symbol, or satisfies it as a protocol requirement.
    case override
    /// The type is extended.
    case `extension`
    /// The symbol is referenced as a type, in a pattern, or as a value.
    case reference
}
