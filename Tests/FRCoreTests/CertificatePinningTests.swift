import FRCore
import Foundation
import Testing

@Suite("Pinned keys")
struct CertificatePinningTests {
    @Test(arguments: TestCertificate.chain + [.versionOne])
    func theHashOfACertificateEqualsThatOfOpenSSL(_ certificate: TestCertificate) throws {
        #expect(try PublicKeyPins.hash(ofCertificate: certificate.der) == certificate.hash)
    }

    @Test(arguments: TestCertificate.chain)
    func anyKeyOfTheChainMayBePinned(_ certificate: TestCertificate) {
        let pins = PublicKeyPins(hashes: ["AAAA", certificate.hash])
        #expect(pins.accept(TestCertificate.chain.map(\.der)))
    }

    @Test func aChainWithoutAPinnedKeyIsRefused() {
        let pins = PublicKeyPins(hashes: [TestCertificate.versionOne.hash])
        #expect(!pins.accept(TestCertificate.chain.map(\.der)))
        #expect(!pins.accept([]))
        #expect(!PublicKeyPins(hashes: []).accept(TestCertificate.chain.map(\.der)))
    }

    @Test func invalidCertificatesHaveNoHash() {
        let whole = TestCertificate.server.der
        var cases = stride(from: 0, to: whole.count, by: 7).map { whole.prefix($0) }
        cases += [whole + [0], Data([0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]), Data([0x30, 0x80])]
        for bytes in cases {
            #expect(throws: SecurityError.failToExtractPublicKey) {
                try PublicKeyPins.hash(ofCertificate: bytes)
            }
        }
        let pins = PublicKeyPins(hashes: [TestCertificate.server.hash])
        #expect(pins.accept([Data(), whole]))
    }
}
