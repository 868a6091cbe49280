/// A difference in behaviour that is meant, and the symbols whose uses can meet it.
///
/// The texts are those of the registers in the documents; `SymbolTests` compares them.
public struct RegisteredDivergence: Sendable {
    /// The name, which does not change from version to version.
    public let id: String
    /// The behaviour of the legacy API, or of the SDK.
    public let legacy: String
    /// The behaviour of the new API, or of PushBridge's legacy API.
    public let here: String
    /// Why the difference stays.
    public let why: String
    /// The symbols whose uses can meet it, spelled as in ``SymbolRow/subject``.
    public let metBy: String
    /// The only way of using them that can.
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

    /// Which register it is of.
    public enum Register: String, CaseIterable, Sendable {
        /// Between `FRAuthenticator` and `PingPush`: met in step 3.
        case betweenAPIs = "between the APIs"
        /// Between the ForgeRock SDK and `FRAuthenticator` of this package: met in steps 1 and 2.
        case fromSDK = "from the SDK"

        /// Its rows.
        public var divergences: [RegisteredDivergence] {
            switch self {
            case .betweenAPIs: RegisteredDivergence.betweenAPIs
            case .fromSDK: RegisteredDivergence.fromSDK
            }
        }
    }

    /// Where its row is.
    public var place: DocumentPlace { DocumentPlace(page: .divergences, anchor: id) }

    /// Both sides in one sentence.
    public var sentence: String {
        let legacy = legacy.hasSuffix(".") ? String(legacy.dropLast()) : legacy
        return "Before: \(legacy); then: \(here)"
    }

    /// Looks whether a use can meet it.
    /// - Parameters:
    ///   - owners: The types that the symbol is nested in, from the outside.
    ///   - name: The symbol's name, with argument labels if it has any.
    ///   - role: How the symbol is used.
    /// - Returns: Whether it can.
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

/// How a place uses a symbol.
public enum SymbolRole: String, CaseIterable, Sendable {
    /// It is called.
    case call
    /// Its value is read.
    case read
    /// Its value is set.
    case write
    /// A type conforms to it or inherits from it.
    case conformance
    /// A declaration overrides it or is what a protocol requires.
    case override
    /// It is extended.
    case `extension`
    /// It is named: as a type, in a pattern, or as a value.
    case reference
}
