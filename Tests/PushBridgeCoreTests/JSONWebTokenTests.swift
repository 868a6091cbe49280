import Foundation
import PushBridgeCore
import Testing

@Suite struct JSONWebTokenTests {
    private let claims = Data(#"{"response":"abc"}"#.utf8)
    private let secret = SharedSecret(utf8: "0123456789abcdef0123456789abcdef")

    /// The token of RFC 7515, appendix A.1, is verified, although its header contains a line break and a space.
    @Test func aTokenOfAnotherImplementationIsVerified() throws {
        let key = "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"
        let compact =
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9"
            + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
            + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let token = try JSONWebToken(compact).verified(with: #require(SharedSecret(base64: key)))
        #expect(String(decoding: token.claims, as: UTF8.self).contains(#""iss":"joe""#))
    }

    @Test func aSignedTokenHasTheExactHeaderAndIsVerified() throws {
        let secret = try #require(secret)
        let compact = secret.signedToken(claims: claims)
        #expect(compact.hasPrefix("eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9."))
        #expect(!compact.contains("="))
        #expect(try JSONWebToken(compact).verified(with: secret).claims == claims)
    }

    @Test func aTokenWithAChangedCharacterIsRefused() throws {
        let secret = try #require(secret)
        let compact = Array(secret.signedToken(claims: claims).utf8)
        let header = try #require(compact.firstIndex(of: UInt8(ascii: ".")))
        for index in compact.indices where compact[index] != UInt8(ascii: ".") {
            var changed = compact
            changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "Q") : UInt8(ascii: "A")
            let error = #expect(throws: TokenError.self) {
                try JSONWebToken(String(decoding: changed, as: UTF8.self)).verified(with: secret)
            }
            // A changed header may be invalid JSON or name a different algorithm; then the error is a different one.
            #expect(error == .signatureMismatch || index < header)
        }
    }

    @Test(arguments: [
        #"{"alg":"none"}"#, #"{"alg":"HS512"}"#, #"{"alg":"RS256","typ":"JWT"}"#, #"{"alg":"hs256"}"#,
    ])
    func tokensWithOtherAlgorithmsAreRefused(_ header: String) throws {
        let compact = "\(Base64.encodeURLSafe(header.utf8)).\(Base64.encodeURLSafe(claims))."
        #expect(throws: TokenError.unsupportedAlgorithm) { try JSONWebToken(compact) }
    }

    @Test(arguments: ["", ".", "..", "a.b", "a.b.c.d", "!.e30.e30", "e30.e30.e30", "bnVsbA.e30.e30"])
    func malformedTokensAreRefused(_ compact: String) {
        #expect(throws: TokenError.malformed) { try JSONWebToken(compact) }
    }

    @Test func aTokenThatAnotherSecretSignedIsRefused() throws {
        let compact = try #require(secret).signedToken(claims: claims)
        #expect(throws: TokenError.signatureMismatch) { try JSONWebToken(compact).verified(with: .random()) }
    }
}

@Suite struct ChallengeResponseTests {
    /// Test vectors of the push protocol: a secret, a challenge, and the response to the challenge.
    @Test(arguments: [
        (
            "5GuioYhLlh-xER3n5I8vrx0uuYQo3yD86aJi6KuWDsg", "KP0XQfZ21N_jsXP_xfVQMmsmoUiWvdDPWecHdb5_INQ",
            "r03LIyMM0RL2RH0tG7JbEs3KfDxIoDXXJa0nWejZyW8="
        ),
        (
            "1xwCy9oR9v5haessTjDm-K_HNfgvzZ3_MOm6X0cdeKw", "Y2hhbGxlbmdlLXByb2JlLTAwMDE=",
            "qqzX/xpjUCQWFDdRqKDLMfLVO5/uJtHSdMJKJ4IIbWs="
        ),
    ])
    func challengeResponsesMatchTheVectors(_ secret: String, _ challenge: String, _ response: String) throws {
        let secret = try #require(SharedSecret(base64: secret))
        #expect(ChallengeResponse.compute(base64Challenge: challenge, secret: secret) == response)
    }

    @Test func aChallengeThatIsNotBase64HasNoResponse() {
        #expect(ChallengeResponse.compute(base64Challenge: "?", secret: .random()) == nil)
    }
}
