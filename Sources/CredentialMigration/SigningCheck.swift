import LegacyStore
public import PushBridgeCore

/// Checks the push credentials in a store, and finds those that cannot sign.
///
/// A credential that cannot sign can neither answer a login nor verify a push.
///
/// Some migration tools copied a secret into the successor SDK's store as URL-safe or unpadded base64, the form of
/// the QR code. That SDK decodes only padded standard base64, so the credential cannot sign. A
/// ``CredentialMigration`` from this store repairs the credential.
///
/// ```swift
/// let check = try SigningCheck(of: .file(url))
/// for problem in check.problems { log(problem.key, problem.reason) }
/// ```
public struct SigningCheck: Equatable, Sendable {
    /// One push credential that cannot sign, or an unreadable record that may be a push credential.
    public struct Problem: Equatable, Sendable {
        /// The key of the credential in the store.
        public let key: String
        /// The credential's id; `nil` if it cannot be read.
        public let credentialId: String?
        /// The reason in one sentence, without secrets.
        public let reason: String
        /// The reason as a code.
        ///
        /// The code has a `number` that a support desk can search for.
        public let code: MigrationReason
        /// Whether a migration from this store repairs the credential.
        public let isRepairable: Bool
    }

    /// The name of the store's container; `credentialStore` for PushBridge's own store.
    public let container: String
    /// The number of push credentials, including unreadable records that may be push credentials.
    public private(set) var credentials = 0
    /// The push credentials that cannot sign, and the unreadable records that may be push credentials.
    ///
    /// They are in the order of the store, but the unreadable records of a credential store come last.
    public private(set) var problems: [Problem] = []

    /// Checks the push records of a store of the legacy SDK or of the successor SDK.
    ///
    /// Writes nothing, and blocks a thread.
    /// - Parameter source: The store.
    /// - Throws: `LegacyStoreError` if the store cannot be read.
    public init(of source: MigrationSource) throws { try self.init(of: source, progress: { _ in }) }

    /// Checks the push records of a store of the legacy SDK or of the successor SDK, and reports the progress.
    ///
    /// Writes nothing, and blocks a thread.
    /// - Parameters:
    ///   - source: The store.
    ///   - progress: Called after every 500 records, on the caller's thread, with the number of records that have
    ///     been read.
    /// - Throws: `LegacyStoreError` if the store cannot be read.
    public init(of source: MigrationSource, progress: CredentialMigration.ProgressHandler) throws {
        let store = try source.opened()
        container = store.container
        var count = 0
        for item in try store.items() {
            check(try item.get())
            count += 1
            guard count.isMultiple(of: Self.interval) else { continue }
            progress(CredentialMigration.Progress(step: .verifying, completed: count, total: nil))
        }
    }

    /// Checks a credential store.
    ///
    /// The store contains decoded keys, so a readable credential can sign, unless the successor SDK created it with
    /// a secret that is not base64.
    /// - Parameter store: The credential store.
    /// - Throws: `StoreError` if the store cannot be read.
    public init(of store: any CredentialStore) throws { try self.init(of: store, progress: { _ in }) }

    /// Checks a credential store, and reports the progress.
    ///
    /// The store contains decoded keys, so a readable credential can sign, unless the successor SDK created it with
    /// a secret that is not base64.
    /// - Parameters:
    ///   - store: The credential store.
    ///   - progress: Called after every 500 push credentials, on the caller's thread, with the number of push
    ///     credentials that have been read and the number of all push credentials.
    /// - Throws: `StoreError` if the store cannot be read.
    public init(of store: any CredentialStore, progress: CredentialMigration.ProgressHandler) throws {
        container = "credentialStore"
        try store.read { view in
            // The store may call this closure again after loading missing records, so each call resets the results.
            (credentials, problems) = (0, [])
            let total = try view.count(of: .push, where: .all)
            let unreadable = try view.forEachCredential(PushCredential.self) { credential in
                credentials += 1
                if credentials.isMultiple(of: Self.interval) {
                    progress(
                        CredentialMigration.Progress(step: .verifying, completed: credentials, total: total)
                    )
                }
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

    /// The number of records after which the progress is reported.
    private static let interval = 500

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
    /// Whether an unreadable record may be a push credential.
    fileprivate var mayBePush: Bool { presumedKind == .push || presumedKind == .unknown }
}
