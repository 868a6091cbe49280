import FRCore
import Foundation
import Security
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Pinned servers")
struct PinningTests {
    @Test(arguments: TestCertificate.chain)
    func aServerWithAPinnedKeyIsAccepted(_ pinned: TestCertificate) {
        let host = "\(pinned.hash).example.com"
        URLProtectionSpace.setTrust(Self.trust(), ofHost: host)
        #expect(decision(about: host, hashes: [pinned.hash]) == .useCredential)
    }

    @Test func aServerWithoutAPinnedKeyIsRefused() {
        URLProtectionSpace.setTrust(Self.trust(), ofHost: "other.example.com")
        let hashes = [TestCertificate.versionOne.hash]
        #expect(decision(about: "other.example.com", hashes: hashes) == .cancelAuthenticationChallenge)
    }

    @Test func aServerThatTheSystemDoesNotTrustIsRefused() {
        URLProtectionSpace.setTrust(Self.trust(isValid: false), ofHost: "invalid.example.com")
        let hashes = [TestCertificate.server.hash]
        #expect(decision(about: "invalid.example.com", hashes: hashes) == .cancelAuthenticationChallenge)
    }

    @Test func otherChallengesAndMissingPinsUseTheSystemsHandling() {
        #expect(decision(about: "password.example.com", hashes: ["AAAA"]) == .performDefaultHandling)
        URLProtectionSpace.setTrust(Self.trust(), ofHost: "unpinned.example.com")
        #expect(decision(about: "unpinned.example.com", hashes: nil) == .performDefaultHandling)
    }

    private static func trust(isValid: Bool = true) -> SecTrust {
        SecTrust(TestCertificate.chain.map { SecCertificate(der: $0.der) }, isValid: isValid)
    }

    private func decision(
        about host: String,
        hashes: [String]?
    ) -> URLSession.AuthChallengeDisposition? {
        let space = URLProtectionSpace(
            host: host,
            port: 443,
            protocol: "https",
            realm: nil,
            authenticationMethod: nil
        )
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space,
            proposedCredential: nil,
            previousFailureCount: 0,
            failureResponse: nil,
            error: nil,
            sender: Sender()
        )
        let configuration = hashes.map { FRSecurityConfiguration(hashes: $0) }
        let handler = FRURLSessionSSLPinningHandler(frSecurityConfiguration: configuration)
        var decisions: [URLSession.AuthChallengeDisposition] = []
        handler.urlSession(.shared, didReceive: challenge) { disposition, _ in decisions.append(disposition) }
        #expect(decisions.count == 1)
        return decisions.first
    }
}

private final class Sender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}
