import Foundation
import PushBridgeCore
import PushBridgePlatform

import struct Crypto.SHA256

/// A store in memory on top of another one, which is only read, and only where a caller asks for its records.
///
/// Between two batches a rehearsal replaces the secrets that it stored by their authentication codes: these recognise the
/// secret of a later record with the same id, and reveal no secret.
final class RehearsalStore: CredentialStore, RecordStore {
    private let base: any CredentialStore
    private let state = Lock(State())
    /// The message of the codes, new for each rehearsal.
    private let nonce = SharedSecret.random().withUnsafeBytes { Data($0) }

    private struct State {
        var changes = RecordChanges()
        /// The records that were stored since ``forgetSecrets()`` and may contain a secret.
        var open: Set<Place> = []
        /// The credentials whose secrets were replaced.
        var forgotten: Set<Place> = []
    }

    /// The place of a record.
    private struct Place: Hashable {
        let kind: RecordKind
        let id: String

        init(_ record: any StoredRecord) { (kind, id) = (record.recordKind, record.recordIndex.id) }
    }

    /// The kinds with secrets.
    private static let secretKinds: Set<RecordKind> = [.push, .oath, .ledger]

    init(over base: any CredentialStore) {
        self.base = base
    }

    var backing: StoreBacking { StoreBacking(self) }
    var changes: AsyncStream<Void> { base.changes }

    /// Everything in the memory.
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

    /// Replaces the secrets of the credentials that were stored, and drops the copies of their legacy records.
    ///
    /// Kept notifications stay: they wait for their credential, and contain no secret.
    /// - Throws: The errors of the store beneath.
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

    /// Gives stored credentials their secret again where a record of the next batch has the same id and the same secret.
    ///
    /// A credential with the same id and another secret is in conflict with the authentication code as well.
    /// - Parameter batch: The next batch.
    /// - Throws: The errors of the store beneath.
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

/// A credential whose secret can be replaced by a code that only recognises it.
private protocol RehearsedCredential: CredentialRecord {
    /// The secret that decides whether two credentials have the same one.
    var comparedSecret: SharedSecret { get }
    var legacy: LegacyDetails? { get set }
    /// A credential with another secret.
    func with(_ secret: SharedSecret) -> Self
}

extension RehearsedCredential {
    /// The authentication code of a message with the secret.
    fileprivate func code(at nonce: Data) -> SharedSecret? {
        SharedSecret(bytes: comparedSecret.authenticationCode(for: nonce, using: SHA256.self))
    }

    /// The credential with a code instead of its secret, and without the other secrets of its registration.
    fileprivate mutating func forgetting(at nonce: Data) -> Self {
        if let code = code(at: nonce) { takeSecret(of: with(code)) }
        legacy?.secretSpelling = nil
        legacy?.registration?.challenge = nil
        return self
    }
}

extension PushCredential: RehearsedCredential {
    /// The key, or the text that stands for none.
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
