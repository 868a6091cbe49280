import Foundation
import LegacyStore
import PushBridgeCore

/// A simulated key of the Secure Enclave.
///
/// Sealed items have the legacy SDK's form. They can be decrypted until the key is lost. For a process, the key can also
/// fail for some time.
struct SimulatedItemKey: LegacyItemKey {
    private let contents: KeychainContents
    private let process: Process?

    init(_ contents: KeychainContents, _ process: Process? = nil) {
        (self.contents, self.process) = (contents, process)
    }

    var isPresent: Bool { !contents.isKeyGone }

    func open(_ sealed: Data) throws(LegacyRecordError) -> Data {
        guard isPresent else { throw LegacyRecordError(.undecryptable, reason: "The key is gone.") }
        if let process {
            if let count = process.beginningKeyFailures() { contents.keyFailures = count }
            if contents.keyFailures > 0 {
                contents.keyFailures -= 1
                process.wasDisturbed = true
                throw LegacyRecordError(.undecryptable, reason: "The key fails.")
            }
        }
        return Data(sealed.dropFirst(Self.point.count).dropLast(Self.tag.count))
    }

    func seal(_ value: Data) throws(LegacyRecordError) -> Data {
        guard isPresent else { throw LegacyRecordError(.undecryptable, reason: "The key is gone.") }
        return Self.point + value + Self.tag
    }

    /// The point with which each sealed item begins: the generator of P-256 (SEC 2, section 2.4.2).
    private static let point = Data([
        0x04, 0x6B, 0x17, 0xD1, 0xF2, 0xE1, 0x2C, 0x42, 0x47, 0xF8, 0xBC, 0xE6, 0xE5, 0x63, 0xA4, 0x40, 0xF2,
        0x77, 0x03, 0x7D, 0x81, 0x2D, 0xEB, 0x33, 0xA0, 0xF4, 0xA1, 0x39, 0x45, 0xD8, 0x98, 0xC2, 0x96,
        0x4F, 0xE3, 0x42, 0xE2, 0xFE, 0x1A, 0x7F, 0x9B, 0x8E, 0xE7, 0xEB, 0x4A, 0x7C, 0x0F, 0x9E, 0x16,
        0x2B, 0xCE, 0x33, 0x57, 0x6B, 0x31, 0x5E, 0xCE, 0xCB, 0xB6, 0x40, 0x68, 0x37, 0xBF, 0x51, 0xF5,
    ])
    private static let tag = Data(count: 16)
}
