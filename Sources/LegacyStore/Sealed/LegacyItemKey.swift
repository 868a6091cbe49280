import Crypto
public import Foundation
public import PushBridgeCore

/// The key with which the legacy SDK sealed the items of its store.
///
/// The methods can be called from any thread. `SecureEnclaveItemKey` is the key in a device's Secure Enclave;
/// `SoftwareItemKey` is a key for tests and for the command line.
public protocol LegacyItemKey: Sendable {
    /// Opens a sealed value in either of the two formats.
    ///
    /// - Parameter sealed: The value in the item.
    /// - Returns: The archive that was sealed.
    /// - Throws: ``LegacyRecordError`` with the code `undecryptable` if the value was sealed with a different key,
    ///   the key no longer exists, or the bytes were changed. These three cases cannot be distinguished. The code
    ///   is `locked` if the key cannot be used before the device is unlocked.
    func open(_ sealed: Data) throws(LegacyRecordError) -> Data

    /// Whether the key exists; this is determined without using the key.
    var isPresent: Bool { get }

    /// Seals a value as the legacy SDK does, in the newer of the SDK's two formats.
    ///
    /// - Parameter value: The archive to seal.
    /// - Returns: The value to store in an item.
    /// - Throws: ``LegacyRecordError`` with the code `undecryptable` if the key does not exist, `locked` if
    ///   the key cannot be used before the device is unlocked, or `unsupported` if the key can open values
    ///   but cannot seal them.
    func seal(_ value: Data) throws(LegacyRecordError) -> Data
}

extension LegacyItemKey {
    /// The default for a key that always exists: `true`.
    public var isPresent: Bool { true }

    /// The default for a key that cannot seal values: throws an error.
    ///
    /// - Throws: ``LegacyRecordError`` with the code `unsupported`.
    public func seal(_ value: Data) throws(LegacyRecordError) -> Data {
        throw .unsupported("The key can open records but not seal them.")
    }
}

extension LegacyRecordError {
    /// The key does not open the record.
    static let undecryptable = LegacyRecordError(
        .undecryptable,
        reason: """
            The record is sealed with a key that is not available here: migrate the record in the app on the phone that \
            sealed it, or specify the key. If neither is possible, the user must enrol again.
            """
    )
    /// The record is sealed, but no key was given.
    static let sealed = LegacyRecordError(
        .undecryptable,
        reason: """
            The record is sealed, and no key was given: migrate the record in the app on the phone that sealed it, or \
            specify the key. If neither is possible, the user must enrol again.
            """
    )
    /// The key exists but cannot seal.
    static let unsealable = LegacyRecordError(
        .unsupported,
        reason: "The record cannot be sealed with the device's key."
    )
    /// The key exists but cannot be used yet.
    static let lockedKey = LegacyRecordError(
        .locked,
        reason: "The record is sealed, and its key cannot be used before the device is unlocked."
    )
}

/// A P-256 key in memory that opens and seals items like the Secure Enclave of a device.
///
/// The formats follow Apple's documentation of its two algorithms. The formats have not been checked against
/// the ciphertext of a real Secure Enclave.
@_spi(PushBridgeTools) public struct SoftwareItemKey: LegacyItemKey {
    private let key: P256.KeyAgreement.PrivateKey

    /// Creates a random key, which exists only in memory.
    public init() {
        key = P256.KeyAgreement.PrivateKey()
    }

    /// Creates a key from the 32 bytes of a private key; returns `nil` if the bytes are invalid.
    public init?(rawRepresentation: Data) {
        do {
            key = try P256.KeyAgreement.PrivateKey(rawRepresentation: rawRepresentation)
        } catch {
            return nil
        }
    }

    /// Reads a private key from text: 32 bytes in base64, or PEM; returns `nil` if the text contains no key.
    public init?(text: String) {
        guard !text.contains("-----BEGIN") else {
            do {
                let key = try P256.KeyAgreement.PrivateKey(pemRepresentation: text)
                self.init(rawRepresentation: key.rawRepresentation)
            } catch {
                return nil
            }
            return
        }
        guard let bytes = Base64.decode(text) else { return nil }
        self.init(rawRepresentation: bytes)
    }

    /// Opens a sealed value; tries the newer format first and then the older format.
    ///
    /// - Throws: ``LegacyRecordError`` with the code `undecryptable` if neither format fits, or `damaged` if the
    ///   value is not sealed.
    public func open(_ sealed: Data) throws(LegacyRecordError) -> Data {
        guard let item = SealedItem(sealed) else { throw .damaged("The value is not sealed.") }
        for format in SealedFormat.allCases {
            do {
                return try item.opened(with: key, as: format)
            } catch {
                continue
            }
        }
        throw .undecryptable
    }

    /// Seals a value in the newer format.
    ///
    /// - Throws: ``LegacyRecordError`` if the system's cryptography fails.
    public func seal(_ value: Data) throws(LegacyRecordError) -> Data {
        do {
            return try seal(value, as: .variableIV)
        } catch {
            throw LegacyRecordError.unsealable
        }
    }

    /// Seals a value in a format; throws the errors of the system's cryptography.
    package func seal(_ value: Data, as format: SealedFormat) throws -> Data {
        try SealedItem.seal(value, for: key.publicKey, as: format)
    }
}

@_spi(PushBridgeTools) extension SoftwareItemKey: CustomStringConvertible, Concealed {
    /// The name of the type, without the key.
    public var description: String { "SoftwareItemKey" }
}

/// The two ECIES formats of the legacy SDK's sealed items; an item does not state which format it has.
package enum SealedFormat: CaseIterable, Sendable {
    /// `eciesEncryptionCofactorVariableIVX963SHA256AESGCM`: the key and the IV are both results of the key
    /// derivation.
    case variableIV
    /// `eciesEncryptionCofactorX963SHA256AESGCM`, which is the older format: the IV is sixteen zero bytes.
    case zeroIV
}

extension SealedFormat {
    /// The length of an AES-128 key.
    ///
    /// Apple's implementation uses AES-128 for curves of up to 256 bits.
    private static let keyLength = 16
    /// The length of the nonce; in AES-GCM, a nonce usually has twelve bytes.
    private static let nonceLength = 16

    /// Returns the key and the IV for one item.
    ///
    /// The shared information of X9.63 is the ephemeral public key.
    ///
    /// P-256 has the cofactor 1, so a key agreement with the cofactor has the same result as a key agreement
    /// without it.
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

/// The parts of a sealed value: the ephemeral public key, the ciphertext and the tag.
struct SealedItem {
    private static let keyLength = 65
    private static let tagLength = 16

    let ephemeralKey: P256.KeyAgreement.PublicKey
    /// The bytes of the ephemeral key in the value, in uncompressed X9.63 form.
    let ephemeralBytes: Data
    private let ciphertext: Data
    private let tag: Data

    /// Parses a value; returns `nil` if the value cannot be a sealed value.
    ///
    /// A value that is not sealed is a property list. The probability that a damaged property list starts
    /// with a point of the curve is negligible, so the list is not mistaken for a sealed value.
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

    /// Returns the plain value; throws if the key or the format does not match, or if a byte was changed.
    func opened(with key: P256.KeyAgreement.PrivateKey, as format: SealedFormat) throws -> Data {
        let cipher = try format.cipher(of: key, with: ephemeralKey, ephemeral: ephemeralBytes)
        let box = try AES.GCM.SealedBox(nonce: cipher.nonce, ciphertext: ciphertext, tag: tag)
        return try AES.GCM.open(box, using: cipher.key)
    }

    /// Seals a value, so that only the private key of `owner` opens it.
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
