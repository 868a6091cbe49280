/// An intended difference in behaviour, and the symbols whose uses may encounter it.
///
/// The texts are the same as in the registers of the documents; `SymbolTests` compares them.
public struct RegisteredDivergence: Sendable {
    /// The name, which is stable across versions.
    public let id: String
    /// The behaviour of the legacy API, or of the SDK.
    public let legacy: String
    /// The behaviour of the async API, or of PushBridge's legacy API.
    public let here: String
    /// The reason for the difference.
    public let why: String
    /// The symbols whose uses may encounter it, spelled as in ``SymbolRow/subject``.
    public let metBy: String
    /// The only role in which a use may encounter it; `nil` for all.
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
        /// Between `FRAuthenticator` and `PingPush`: relevant in step 3.
        case betweenAPIs = "between the APIs"
        /// Between the ForgeRock SDK and this package's `FRAuthenticator`: relevant in steps 1 and 2.
        case fromSDK = "from the SDK"

        /// Its rows.
        public var divergences: [RegisteredDivergence] {
            switch self {
            case .betweenAPIs: RegisteredDivergence.betweenAPIs
            case .fromSDK: RegisteredDivergence.fromSDK
            }
        }
    }

    /// The place of its row.
    public var place: DocumentPlace { DocumentPlace(page: .divergences, anchor: id) }

    /// Both behaviours in one sentence.
    public var sentence: String {
        let legacy = legacy.hasSuffix(".") ? String(legacy.dropLast()) : legacy
        return "Before: \(legacy); then: \(here)"
    }

    /// Returns whether a use may encounter the difference.
    /// - Parameters:
    ///   - owners: The containing types, outermost first.
    ///   - name: The symbol's name, with argument labels if it has any.
    ///   - role: The role of the symbol in the use.
    /// - Returns: Whether the use may encounter it.
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

/// The role of a symbol at a place.
public enum SymbolRole: String, CaseIterable, Sendable {
    /// A call.
    case call
    /// A read of the value.
    case read
    /// A write of the value.
    case write
    /// A conformance or inheritance of a type.
    case conformance
    /// A declaration that overrides the symbol or satisfies it as a protocol requirement.
    case override
    /// An extension.
    case `extension`
    /// A reference: as a type, in a pattern, or as a value.
    case reference
}
