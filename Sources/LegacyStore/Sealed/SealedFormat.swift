import Crypto
import Foundation

/// The two ECIES formats in which the legacy SDK had its items sealed; nothing in an item tells which it has.
public enum SealedFormat: CaseIterable, Sendable {
    /// `eciesEncryptionCofactorVariableIVX963SHA256AESGCM`: key and IV both come out of the key derivation.
    case variableIV
    /// `eciesEncryptionCofactorX963SHA256AESGCM`, the older one: the IV is sixteen zero bytes.
    case zeroIV
}

extension SealedFormat {
    /// AES-128, as Apple's implementation takes it for curves of up to 256 bits.
    private static let keyLength = 16
    /// Longer than the usual twelve bytes of AES-GCM.
    private static let nonceLength = 16

    /// The key and the IV for one item; the ephemeral public key is the shared information of X9.63.
    ///
    /// P-256 has the cofactor 1, so that the agreement with cofactor is the plain one.
    func cipher(
        of key: P256.KeyAgreement.PrivateKey,
        with peer: P256.KeyAgreement.PublicKey,
        ephemeral: Data
    ) throws -> (key: SymmetricKey, nonce: AES.GCM.Nonce) {
        let length = self == .variableIV ? Self.keyLength + Self.nonceLength : Self.keyLength
        let derived = try key.sharedSecretFromKeyAgreement(with: peer)
            .x963DerivedSymmetricKey(using: SHA256.self, sharedInfo: ephemeral, outputByteCount: length)
            .withUnsafeBytes { Data($0) }
        let nonce =
            self == .variableIV
            ? derived.suffix(Self.nonceLength) : Data(repeating: 0, count: Self.nonceLength)
        return (SymmetricKey(data: derived.prefix(Self.keyLength)), try AES.GCM.Nonce(data: nonce))
    }
}
