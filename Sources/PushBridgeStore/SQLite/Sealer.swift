import Crypto
import Foundation
import GRDB
import PushBridgeCore

/// Seals values with AES-256-GCM and computes the hashes of the columns that are searched.
///
/// Each value is sealed together with its place, which for a record consists of the store's number and the other values
/// of its row.
///
/// A sealed value is a random nonce of 12 bytes, the ciphertext and a tag of 16 bytes. Random nonces suffice for 2^32
/// values under one key, which is one value per second for 136 years.
struct Sealer: Sendable {
    private let key: SymmetricKey
    /// The number of the store.
    ///
    /// If two stores have the same key, their records still cannot be exchanged, because the stores have
    /// different numbers. The value is empty until the number is known.
    private(set) var store: [UInt8] = []
    /// The hash function of searched columns.
    ///
    /// The key of the hash function is derived from the sealing key. So one secret is enough for sealing and
    /// for hashing, and neither use reveals anything about the other. The function is created once for all
    /// hashes.
    private let search: HMAC<SHA256>

    init(key: SymmetricKey) {
        self.key = key
        let searchKey = HMAC<SHA256>.authenticationCode(for: Data("PushBridge look-up".utf8), using: key)
        search = HMAC(key: SymmetricKey(data: searchKey))
    }

    /// Returns the sealer of one store.
    func bound(to store: [UInt8]) -> Sealer {
        var sealer = self
        sealer.store = store
        return sealer
    }

    /// Seals `bytes` together with their place.
    func seal(_ bytes: [UInt8], for place: [UInt8]) throws(StoreError) -> Data {
        let sealed = try storing("Sealing a record") {
            try AES.GCM.seal(bytes, using: key, authenticating: place).combined
        }
        guard let sealed else { throw StoreError(.failed, reason: "A record could not be sealed.") }
        return sealed
    }

    /// Opens a value that was sealed for the same place; `nil` for any other value.
    func open(_ sealed: some DataProtocol, from place: [UInt8]) -> [UInt8]? {
        do {
            let box = try AES.GCM.SealedBox(combined: sealed)
            return Array(try AES.GCM.open(box, using: key, authenticating: place))
        } catch {
            return nil
        }
    }

    /// Returns the content of a searched column for `text`: 16 bytes that look random without the key.
    func searchHash(of text: String, as column: String) -> Data {
        var message: [UInt8] = []
        message.reserveCapacity(column.utf8.count + 1 + text.utf8.count)
        message.append(contentsOf: column.utf8)
        message.append(0)
        message.append(contentsOf: text.utf8)
        var hash = search
        hash.update(data: message)
        return hash.finalize().withUnsafeBytes { Data($0[..<16]) }
    }
}

/// A sealed value that proves whether a key is the store's key.
///
/// The value contains the store's number.
enum KeyCheck {
    private static let place = Array("key_check".utf8)

    static func write(with sealer: Sealer, to db: Database) throws {
        let store = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        let proof = try sealer.seal(store, for: place)
        try db.execute(sql: "INSERT INTO key_check (id, proof) VALUES ('this', ?)", arguments: [proof])
    }

    static func proof(in db: Database) throws -> Data? {
        try Data.fetchOne(db, sql: "SELECT proof FROM key_check")
    }

    /// Returns the sealer of the store; `nil` if there is no proof, or if the store was written with another key.
    static func opened(_ proof: Data?, with sealer: Sealer) -> Sealer? {
        proof.flatMap { sealer.open($0, from: place) }.map(sealer.bound)
    }
}
