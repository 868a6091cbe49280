import Foundation
@_spi(PushBridgeTools) import LegacyStore
import PushBridgeCore
import Security
import Testing

/// Sealed items are opened with the key that the legacy SDK created in the Secure Enclave.
@Suite(.serialized) struct SecureEnclaveItemKeyTests {
    /// The tag of the legacy SDK's key.
    private static let tag = "com.forgerock.ios.authenticator.securedKey.identifier"

    private let software = SoftwareItemKey()
    private let key = SecureEnclaveItemKey()
    private let value = Data("bplist00".utf8)

    init() {
        StandInKeys.reset()
    }

    /// Returns a key of the Secure Enclave that decrypts the data that `software` sealed.
    private func enclaveKey() -> SecKey {
        SecKey { [software] _, sealed in
            do {
                return .success(try software.open(sealed))
            } catch {
                return .failure(StandInFailure(errSecParam))
            }
        }
    }

    private func code(_ sealed: Data) -> LegacyRecordError.Code? {
        #expect(throws: LegacyRecordError.self) { try key.open(sealed) }?.code
    }

    @Test(arguments: SealedFormat.allCases)
    func keyIsFoundUnderTextAndUnderData(_ format: SealedFormat) throws {
        let sealed = try software.seal(value, as: format)
        StandInKeys.add(enclaveKey(), tag: Self.tag)
        #expect(try key.open(sealed) == value)
        StandInKeys.reset()
        StandInKeys.add(enclaveKey(), tag: Data(Self.tag.utf8))
        #expect(try key.open(sealed) == value)
    }

    @Test func olderFormatIsTriedAfterTheNewerOne() throws {
        let older = SecKey { algorithm, _ in
            algorithm == .eciesEncryptionCofactorX963SHA256AESGCM
                ? .success(Data([1])) : .failure(StandInFailure(errSecParam))
        }
        StandInKeys.add(older, tag: Self.tag)
        #expect(try key.open(software.seal(value)) == Data([1]))
    }

    @Test func missingOrDifferentKeyMeansUndecryptable() throws {
        let sealed = try software.seal(value)
        #expect(code(sealed) == .undecryptable)
        StandInKeys.add(enclaveKey(), tag: Self.tag)
        let foreign = try SoftwareItemKey().seal(value)
        #expect(code(foreign) == .undecryptable)
    }

    @Test func lockedDeviceIsReportedAsLocked() throws {
        let sealed = try software.seal(value)
        StandInKeys.add(enclaveKey(), tag: Self.tag)
        StandInKeys.refuse(with: errSecInteractionNotAllowed)
        #expect(code(sealed) == .locked)
        StandInKeys.reset()
        StandInKeys.add(
            SecKey { _, _ in .failure(StandInFailure(errSecInteractionNotAllowed)) },
            tag: Self.tag
        )
        #expect(code(sealed) == .locked)
    }
}
