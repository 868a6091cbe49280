import Foundation
import PushBridgeCore
import PushBridgePlatform

import struct Crypto.SHA256

/// A store in memory on top of another store.
///
/// All writes stay in memory. A record of the underlying store is read only when a caller requests it.
///
/// After each batch, the rehearsal replaces each stored secret with its authentication code. The code shows
/// whether a later record with the same id has the same secret, but does not reveal the secret.
final class RehearsalStore: CredentialStore, RecordStore {
    private let base: any CredentialStore
    private let state = Lock(State())
    /// The random message from which this rehearsal's authentication codes are computed.
    private let nonce = SharedSecret.random().withUnsafeBytes { Data($0) }

    private struct State {
        var changes = RecordChanges()
        /// The records that have been stored since the last ``forgetSecrets()`` and may contain a secret.
        var open: Set<Place> = []
        /// The credentials whose secrets have been replaced.
        var forgotten: Set<Place> = []
    }

    /// The kind and the id of a record.
    private struct Place: Hashable {
        let kind: RecordKind
        let id: String

        init(_ record: any StoredRecord) { (kind, id) = (record.recordKind, record.recordIndex.id) }
    }

    /// The kinds of records that can contain secrets.
    private static let secretKinds: Set<RecordKind> = [.push, .oath, .ledger]

    init(over base: any CredentialStore) {
        self.base = base
    }

    var backing: StoreBacking { StoreBacking(self) }
    var changes: AsyncStream<Void> { base.changes }

    /// All changes in memory.
    var written: RecordChanges { state.withValue { $0.changes } }

    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try base.read { view in
            try body(RecordOverlay(over: view, after: written, streaming: Self.secretKinds))
        }
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try base.read { view in
            var stored: Set<Place> = []
            let overlay = RecordOverlay(over: view, after: written, streaming: Self.secretKinds) { verb in
                if case .put(let record) = verb, Self.secretKinds.contains(record.recordKind) {
                    stored.insert(Place(record))
                }
                return true
            }
            let value = try body(overlay)
            state.withValue { state in
                state.changes = overlay.changes
                state.open.formUnion(stored)
            }
            return value
        }
    }

    /// Replaces the secrets of the credentials that have been stored, and deletes the kept copies of legacy records.
    ///
    /// Kept notifications stay, because their credential may be read later and because they contain no
    /// secret.
    /// - Throws: The errors of the underlying store.
    func forgetSecrets() throws {
        let open = state.withValue { $0.open }
        try write { view in
            for place in open {
                _ = try view.forEach(place.kind, where: RecordQuery(id: place.id)) { record in
                    switch record {
                    case var push as PushCredential: try view.put(push.forgetting(at: nonce))
                    case var oath as OathCredential: try view.put(oath.forgetting(at: nonce))
                    case let entry as LedgerEntry where entry.verbatim != nil && entry.kind != .notification:
                        try view.put(entry.with(entry.result, recordedAt: entry.recordedAt))
                    default: break
                    }
                }
            }
        }
        state.withValue { state in
            state.forgotten.formUnion(open)
            state.open = []
        }
    }

    /// Restores the secrets that the next batch needs.
    ///
    /// A stored credential gets its secret back if the batch contains a record with the same id and the same
    /// secret.
    ///
    /// If the batch contains a different secret for the id, the stored credential keeps the authentication code.
    /// The code causes the same conflict as the secret would.
    /// - Parameter batch: The next batch.
    /// - Throws: The errors of the underlying store.
    func recallSecrets(for batch: [SourceRecord]) throws {
        let forgotten = state.withValue { $0.forgotten }
        guard !forgotten.isEmpty else { return }
        func recall<Credential: RehearsedCredential>(
            _ credential: Credential,
            in view: any CredentialWriting
        ) throws {
            guard forgotten.contains(Place(credential)),
                var stored: Credential = try view.first(where: RecordQuery(id: credential.recordIndex.id)),
                stored.comparedSecret == credential.code(at: nonce)
            else { return }
            stored.takeSecret(of: credential)
            try view.put(stored)
        }
        try write { view in
            for record in batch {
                switch record.value {
                case .success(.push(let credential, _)): try recall(credential, in: view)
                case .success(.oath(let credential, _)): try recall(credential, in: view)
                default: break
                }
            }
        }
    }
}

/// A credential whose secret can be replaced with an authentication code.
private protocol RehearsedCredential: CredentialRecord {
    /// The secret that is compared to determine whether two credentials have the same secret.
    var comparedSecret: SharedSecret { get }
    var legacy: LegacyDetails? { get set }
    /// Returns the credential with `secret` in place of its own secret.
    func with(_ secret: SharedSecret) -> Self
}

extension RehearsedCredential {
    /// Returns an authentication code of the nonce and the secret's length; the key is the credential's secret.
    ///
    /// HMAC pads its key with zeros. Without the length, a secret would have the same code as a secret that differs
    /// only by zeros at its end.
    fileprivate func code(at nonce: Data) -> SharedSecret? {
        let message = nonce + Data("\(comparedSecret.count)".utf8)
        return SharedSecret(bytes: comparedSecret.authenticationCode(for: message, using: SHA256.self))
    }

    /// Replaces the credential's secret with an authentication code, and returns the credential.
    ///
    /// The method also removes the spelling of the secret and the challenge of the registration.
    fileprivate mutating func forgetting(at nonce: Data) -> Self {
        if let code = code(at: nonce) { takeSecret(of: with(code)) }
        legacy?.secretSpelling = nil
        legacy?.registration?.challenge = nil
        return self
    }
}

extension PushCredential: RehearsedCredential {
    /// The credential's secret; if the secret cannot sign, its original text.
    fileprivate var comparedSecret: SharedSecret { sharedSecret.isUsable ? sharedSecret : secretSpelling }

    fileprivate func with(_ secret: SharedSecret) -> PushCredential {
        PushCredential(
            id: id,
            account: account,
            endpoints: endpoints,
            sharedSecret: secret,
            createdAt: createdAt
        )
    }
}

extension OathCredential: RehearsedCredential {
    fileprivate var comparedSecret: SharedSecret { password.secret }

    fileprivate func with(_ secret: SharedSecret) -> OathCredential {
        OathCredential(
            id: id,
            account: account,
            password: OneTimePassword(unchecked: secret, algorithm: oathAlgorithm, digits: digits),
            movingFactor: movingFactor,
            createdAt: createdAt
        )
    }
}
