import Foundation
import PushBridgeCore
import Testing

@Suite struct SharedSecretTests {
    private let secret = SharedSecret(utf8: "correct horse battery staple")

    @Test func noTextFormOfASecretShowsItsBytes() throws {
        let secret = try #require(secret)
        var dumped = ""
        dump(secret, to: &dumped)
        dump(["credential": [secret]], to: &dumped)
        let renderings = [
            "\(secret)", String(reflecting: secret), String(describing: [secret]), dumped,
            String(describing: Mirror(reflecting: secret).children.map(\.value)),
        ]
        for rendering in renderings {
            #expect(!rendering.contains("horse"))
            #expect(!rendering.contains(Data("correct".utf8).base64EncodedString()))
        }
        #expect("\(secret)" == "SharedSecret(28 bytes)")
    }

    @Test func credentialsAndTokensDoNotShowTheirSecrets() throws {
        let credential = try #require(PushCredential.sample(secret: "c2VjcmV0LXNlY3JldA=="))
        let token = PushDeviceToken(tokenId: "F79BB71BBD93D140", createdAt: .distantPast)
        var dumped = ""
        dump(credential, to: &dumped)
        dump(token, to: &dumped)
        for text in [dumped, "\(credential)", "\(token)", String(reflecting: token)] {
            #expect(!text.contains("c2VjcmV0"))
            #expect(!text.contains("secret-secret"))
            #expect(!text.contains("F79BB"))
        }
    }

    @Test func aSharedSecretIsNotEncodable() throws {
        let secret: Any = try #require(secret)
        #expect(!(secret is any Encodable))
    }

    @Test func aSharedSecretIsNeverEmpty() {
        #expect(SharedSecret(bytes: Data()) == nil)
        #expect(SharedSecret(base64: "") == nil)
        #expect(SharedSecret(base32: "==") == nil)
        #expect(SharedSecret(utf8: "") == nil)
    }

    @Test func closuresReceiveTheBytesOfASecret() throws {
        let secret = try #require(SharedSecret(base64: "AQID"))
        #expect(secret.withUnsafeBytes { Array($0) } == [1, 2, 3])
        #expect(secret.withBase64 { $0 } == "AQID")
        #expect(secret.withBase32 { $0 } == "AEBAG")
    }

    @Test func randomSecretsDiffer() {
        #expect(SharedSecret.random() != SharedSecret.random())
        #expect(SharedSecret.random().count == 32)
    }
}
