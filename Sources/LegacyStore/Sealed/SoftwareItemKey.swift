import Crypto
public import Foundation

/// A P-256 key in memory that opens and seals items as a device's Secure Enclave does.
///
/// The formats follow what Apple documents of its two algorithms; there was no ciphertext of a real Secure Enclave to
/// check them against.
public struct SoftwareItemKey: LegacyItemKey {
    private let key: P256.KeyAgreement.PrivateKey

    /// Makes a new key.
    public init() {
        key = P256.KeyAgreement.PrivateKey()
    }

    /// Takes the 32 bytes of a private key, or returns `nil` if they are none.
    public init?(rawRepresentation: Data) {
        do {
            key = try P256.KeyAgreement.PrivateKey(rawRepresentation: rawRepresentation)
        } catch {
            return nil
        }
    }

    /// Opens a sealed value: first as the newer format, then as the older one.
    public func open(_ sealed: Data) throws(LegacyRecordError) -> Data {
        guard let item = SealedItem(sealed) else { throw .damaged("The value is not a sealed one.") }
        for format in SealedFormat.allCases {
            do {
                return try item.opened(with: key, as: format)
            } catch {
                continue
            }
        }
        throw .undecryptable
    }

    /// Seals a value; throws only what the system's cryptography throws.
    public func seal(_ value: Data, as format: SealedFormat = .variableIV) throws -> Data {
        try SealedItem.seal(value, for: key.publicKey, as: format)
    }
}

extension SoftwareItemKey: CustomStringConvertible, CustomReflectable {
    /// What it is, never the key.
    public var description: String { "SoftwareItemKey" }
    /// An empty mirror, so that `dump` finds nothing to show.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
