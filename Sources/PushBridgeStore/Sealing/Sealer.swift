import Crypto
import Foundation
import PushBridgeCore

/// Seals values with AES-256-GCM so that each opens only in the row and column it was sealed for.
///
/// A sealed value is one byte of format version, a random nonce of 12 bytes, the ciphertext and a tag of 16.
struct Sealer: Sendable {
    private static let version: UInt8 = 1
    private let key: SymmetricKey

    init(key: SymmetricKey) {
        self.key = key
    }

    /// Seals `bytes` for a place.
    func seal(_ bytes: some DataProtocol, for place: SealedPlace) throws(StoreError) -> Data {
        let box = try storing("Sealing a secret") {
            try AES.GCM.seal(bytes, using: key, authenticating: place.bytes).combined
        }
        guard let box else {
            throw StoreError(.failed, record: place.row, reason: "A secret could not be sealed.")
        }
        var sealed = Data(capacity: box.count + 1)
        sealed.append(Self.version)
        sealed.append(box)
        return sealed
    }

    /// Opens what was sealed for the same place, and nothing else.
    func open(_ sealed: Data, from place: SealedPlace) throws(StoreError) -> Data {
        guard sealed.first == Self.version else { throw place.damage }
        do {
            let box = try AES.GCM.SealedBox(combined: sealed.dropFirst())
            return try AES.GCM.open(box, using: key, authenticating: place.bytes)
        } catch {
            throw place.damage
        }
    }
}
