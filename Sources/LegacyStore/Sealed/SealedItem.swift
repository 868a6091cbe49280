import Crypto
import Foundation

/// The parts of a sealed value: ephemeral public key, ciphertext, tag.
struct SealedItem {
    private static let keyLength = 65
    private static let tagLength = 16

    /// The key that was made for this value alone.
    let ephemeralKey: P256.KeyAgreement.PublicKey
    /// Its bytes as they stand in the value: X9.63, uncompressed.
    let ephemeralBytes: Data
    private let ciphertext: Data
    private let tag: Data

    /// Takes a value apart; `nil` if it cannot be a sealed one.
    ///
    /// A plain value is a property list. Any other bytes begin with a point of the curve with a probability of no
    /// account, so that a damaged archive is not taken for a sealed one.
    init?(_ bytes: Data) {
        guard bytes.first == 4, bytes.count >= Self.keyLength + Self.tagLength else { return nil }
        ephemeralBytes = Data(bytes.prefix(Self.keyLength))
        do {
            ephemeralKey = try P256.KeyAgreement.PublicKey(x963Representation: ephemeralBytes)
        } catch {
            return nil
        }
        ciphertext = Data(bytes.dropFirst(Self.keyLength).dropLast(Self.tagLength))
        tag = Data(bytes.suffix(Self.tagLength))
    }

    /// The plain value; throws if the key or the format is another, or a byte was changed.
    func opened(with key: P256.KeyAgreement.PrivateKey, as format: SealedFormat) throws -> Data {
        let cipher = try format.cipher(of: key, with: ephemeralKey, ephemeral: ephemeralBytes)
        let box = try AES.GCM.SealedBox(nonce: cipher.nonce, ciphertext: ciphertext, tag: tag)
        return try AES.GCM.open(box, using: cipher.key)
    }

    /// Seals a value for the owner of a key.
    static func seal(
        _ value: Data,
        for owner: P256.KeyAgreement.PublicKey,
        as format: SealedFormat
    ) throws -> Data {
        let ephemeral = P256.KeyAgreement.PrivateKey()
        let bytes = ephemeral.publicKey.x963Representation
        let cipher = try format.cipher(of: ephemeral, with: owner, ephemeral: bytes)
        let box = try AES.GCM.seal(value, using: cipher.key, nonce: cipher.nonce)
        return bytes + box.ciphertext + box.tag
    }
}
