import LegacyStore
public import PushBridgeCore

/// Finds the push credentials of a store that cannot sign, and so can neither answer a login nor verify a push.
///
/// These include the results of other migration tools in a store of the successor SDK: secrets that were copied from
/// the QR code without recoding, which that SDK does not decode. ``CredentialMigration`` from such a store repairs
/// them.
///
/// ```swift
/// let check = try SigningCheck(of: .file(url))
/// for problem in check.problems { log(problem.key, problem.reason) }
/// ```
public struct SigningCheck: Equatable, Sendable {
    /// One push credential that cannot sign.
    public struct Problem: Equatable, Sendable {
        /// Its key in the store.
        public let key: String
        /// The credential's id, if it can be read.
        public let credentialId: String?
        /// The reason in one sentence; never contains a secret.
        public let reason: String
        /// The reason as a code, whose `number` a support desk can search for.
        public let code: MigrationReason
        /// Whether a migration from this store makes a credential of it that can sign.
        public let isRepairable: Bool
    }

    /// The name of the store's container; `credentialStore` for PushBridge's own.
    public let container: String
    /// How many push credentials there are, the unreadable ones included.
    public private(set) var credentials = 0
    /// Those that cannot sign, in the order of the store.
    public private(set) var problems: [Problem] = []

    /// Checks the push records of a legacy store, or of a store of the successor SDK; reads only, and blocks.
    /// - Parameter source: The legacy store.
    /// - Throws: `LegacyStoreError` if the store cannot be read.
    public init(of source: MigrationSource) throws {
        let store = try source.opened()
        container = store.container
        for item in try store.items() { check(try item.get()) }
    }

    /// Checks a credential store.
    ///
    /// It holds keys, not their spelling, so every credential that it can read can sign, except one whose secret came
    /// from the vendor's SDK as text that is no base64.
    /// - Parameter store: The credential store.
    /// - Throws: `StoreError` if the store cannot be read.
    public init(of store: any CredentialStore) throws {
        container = "credentialStore"
        try store.read { view in
            // A store that lacks something calls this again.
            (credentials, problems) = (0, [])
            let unreadable = try view.forEachCredential(PushCredential.self) { credential in
                credentials += 1
                guard !credential.sharedSecret.isUsable else { return }
                let (id, reason) = (credential.id, SigningFault.noSecret.reason)
                problems.append(
                    Problem(
                        key: id,
                        credentialId: id,
                        reason: reason,
                        code: .unusableSource,
                        isRepairable: false
                    )
                )
            }
            for id in unreadable.compactMap(\.record) {
                credentials += 1
                let reason = "The store's record of this credential cannot be read."
                problems.append(
                    Problem(key: id, credentialId: id, reason: reason, code: .damaged, isRepairable: false)
                )
            }
        }
    }

    private mutating func check(_ item: LegacyItem) {
        do throws(LegacyRecordError) {
            let decoded = try item.decoded()
            guard case .mechanism(let mechanism) = decoded.record, mechanism.kind == .push else { return }
            credentials += 1
            guard let fault = item.signingFault(decoded) else { return }
            let id = mechanism.mechanismUUID
            let isRepairable = fault == .rawSecret
            problems.append(
                Problem(
                    key: item.key,
                    credentialId: id,
                    reason: fault.reason,
                    code: .unusableSource,
                    isRepairable: isRepairable
                )
            )
        } catch {
            guard item.mayBePush else { return }
            credentials += 1
            problems.append(
                Problem(
                    key: item.key,
                    credentialId: nil,
                    reason: error.reason,
                    code: MigrationResult(error).code ?? .damaged,
                    isRepairable: false
                )
            )
        }
    }
}

extension LegacyItem {
    /// Whether a record that cannot be read may have been a push credential.
    fileprivate var mayBePush: Bool { presumedKind == .push || presumedKind == .unknown }
}
