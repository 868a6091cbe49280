import Crypto
import Foundation
import PushBridgeCore
import Testing

@_spi(PushBridgeTools) @testable import LegacyStore

/// Values that are encrypted as if by the Secure Enclave, but with a key in software.
@Suite struct SealedItemTests {
    private let key = SoftwareItemKey()
    private let value = Data("bplist00 of a record".utf8)

    @Test(arguments: SealedFormat.allCases)
    func aSealedValueCanBeOpened(_ format: SealedFormat) throws {
        let sealed = try key.seal(value, as: format)
        #expect(sealed.count == 65 + value.count + 16)
        #expect(sealed.first == 4)
        #expect(try key.open(sealed) == value)
    }

    @Test(arguments: SealedFormat.allCases)
    func anEmptyValueCanBeSealedAndOpened(_ format: SealedFormat) throws {
        #expect(try key.open(key.seal(Data(), as: format)) == Data())
    }

    @Test(arguments: SealedFormat.allCases)
    func aSealedValueIsUndecryptableWithAnotherKey(_ format: SealedFormat) throws {
        let sealed = try key.seal(value, as: format)
        #expect(throws: LegacyRecordError.undecryptable) { try SoftwareItemKey().open(sealed) }
    }

    /// The message names both ways to read the store: on the phone that sealed it, or with its key.
    @Test func theErrorUndecryptableMentionsThePhoneAndTheKey() {
        let reason = LegacyRecordError.undecryptable.reason
        #expect(reason.contains("sealed with a key that is not available here"))
        #expect(reason.contains("on the phone that sealed it") && reason.contains("specify the key"))
    }

    @Test(arguments: SealedFormat.allCases)
    func everyChangedByteIsDetected(_ format: SealedFormat) throws {
        let sealed = try key.seal(value, as: format)
        let notSealed = LegacyRecordError.damaged("The value is not sealed.")
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            // The first 65 bytes are a point on the curve. After a change of these bytes, the value does not count as
            // sealed, because it contains no point on the curve.
            let error = index < 65 ? notSealed : .undecryptable
            #expect(throws: error, "byte \(index)") { try key.open(changed) }
        }
    }

    @Test func plainAndCutValuesAreNotTreatedAsSealed() throws {
        let sealed = try key.seal(Data())
        #expect(SealedItem(sealed) != nil)
        #expect(SealedItem(sealed.dropLast()) == nil)
        #expect(SealedItem(Data(repeating: 4, count: 200)) == nil)
        #expect(SealedItem(value + Data(repeating: 0, count: 100)) == nil)
    }

    /// NIST CAVP test vectors for the ANS X9.63 key derivation with SHA-256, without and with shared information.
    @Test(arguments: [
        (
            "96c05619d56c328ab95fe84b18264b08725b85e33fd34f08", "",
            "443024c3dae66b95e6f5670601558f71"
        ),
        (
            "22518b10e70f2a3f243810ae3254139efbee04aa57c7af7d", "75eef81aa3041e33b80971203d2c0c52",
            """
            c498af77161cc59f2962b9a713e2b215152d139766ce34a776df11866a69bf2e52a13d9c7c6fc878c50c5ea0bc7b00e0\
            da2447cfd874f6cf92f30d0097111485500c90c3af8b487872d04685d14c8d1dc8d7fa08beb0ce0ababc11f0bd496269\
            142d43525a78e5bc79a17f59676a5706dc54d54d4d1f0bd7e386128ec26afc21
            """
        ),
    ])
    func referenceDerivationMeetsThePublishedVectors(_ secret: String, _ info: String, _ key: String) {
        let expected = Data(hex: key)
        let derived = X963Reference.key(
            Data(hex: secret),
            sharedInfo: Data(hex: info),
            length: expected.count
        )
        #expect(derived == expected)
    }

    @Test(arguments: SealedFormat.allCases)
    func keyAndNonceMatchTheReferenceDerivation(_ format: SealedFormat) throws {
        let one = P256.KeyAgreement.PrivateKey()
        let other = P256.KeyAgreement.PrivateKey()
        let ephemeral = other.publicKey.x963Representation
        let cipher = try format.cipher(of: one, with: other.publicKey, ephemeral: ephemeral)
        let secret = try one.sharedSecretFromKeyAgreement(with: other.publicKey).withUnsafeBytes { Data($0) }
        let derived = X963Reference.key(secret, sharedInfo: ephemeral, length: 32)
        #expect(cipher.key.withUnsafeBytes { Data($0) } == derived.prefix(16))
        let nonce = format == .variableIV ? derived.suffix(16) : Data(repeating: 0, count: 16)
        #expect(Data(cipher.nonce) == nonce)
    }
}
