import FRAuthenticator
import Foundation
import Testing

/// As in the SDK, the models encode their addresses as `URL`s, whose form depends on the encoder.
@Suite("Legacy models and encoders")
struct PropertyListTests {
    private struct Container: Codable {
        let registrationEndpoint: URL
        let authenticationEndpoint: URL
    }

    @Test func addressesAreURLsForEveryEncoder() async throws {
        let fixture = try ClientFixture()
        let mechanism = try await fixture.enrol()
        let list = try PropertyListEncoder().encode([mechanism])
        let lists = try PropertyListDecoder().decode([Container].self, from: list)
        let json = try JSONEncoder().encode([mechanism])
        let objects = try JSONDecoder().decode([Container].self, from: json)
        #expect(lists.map(\.registrationEndpoint) == objects.map(\.registrationEndpoint))
        #expect(lists.map(\.authenticationEndpoint) == objects.map(\.authenticationEndpoint))
        for decoded in [
            try PropertyListDecoder().decode([PushMechanism].self, from: list),
            try JSONDecoder().decode([PushMechanism].self, from: json),
        ] {
            #expect(decoded.map(\.mechanismUUID) == [mechanism.mechanismUUID])
            #expect(decoded.first?.toJson() == mechanism.toJson())
        }
    }

    /// Encodes each model as a property list and as JSON, and decodes it.
    ///
    /// A decoder without a key strategy also decodes a model whose keys were encoded in snake case.
    @Test func everyModelIsDecodedAsItWasEncoded() async throws {
        let fixture = try ClientFixture()
        let push = try await fixture.enrol()
        let totp = try await fixture.create("otpauth://totp/A:b?secret=JBSWY3DP") as? TOTPMechanism
        let hotp = try await fixture.create("otpauth://hotp/A:b?secret=JBSWY3DP") as? HOTPMechanism
        let notification = try #require(try fixture.deliver(to: push))
        try roundTrip(push) { $0.toJson() }
        try roundTrip(try #require(totp)) { $0.toJson() }
        try roundTrip(try #require(hotp)) { $0.toJson() }
        try roundTrip(notification) { $0.toJson() }
        for account in fixture.client.getAllAccounts() { try roundTrip(account) { $0.toJson() } }
        let json = Data(#"{"tokenId":"AABB","timeAdded":1700000000}"#.utf8)
        let device = try JSONDecoder().decode(PushDeviceToken.self, from: json)
        #expect(device.tokenId == "AABB")
        try roundTrip(device) { $0.toJson() }
        // The keys of an encoded `OathTokenCode` are the names of its members. So the decoder has to use the key
        // strategy of the encoder.
        for code in [try #require(totp).generateCode(), try #require(hotp).generateCode()] {
            try roundTrip(code, isKeyedByMembers: true) {
                "\($0.tokenType) \($0.code) \($0.start) \(String(describing: $0.until))"
            }
        }
    }

    private func roundTrip<Value: Codable>(
        _ value: Value,
        isKeyedByMembers: Bool = false,
        _ text: (Value) -> String?
    ) throws {
        let snake = (JSONEncoder(), JSONDecoder())
        snake.0.keyEncodingStrategy = .convertToSnakeCase
        snake.1.keyDecodingStrategy = .convertFromSnakeCase
        for decoded in [
            try PropertyListDecoder().decode(Value.self, from: PropertyListEncoder().encode(value)),
            try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value)),
            try snake.1.decode(Value.self, from: snake.0.encode(value)),
            try isKeyedByMembers ? value : JSONDecoder().decode(Value.self, from: snake.0.encode(value)),
        ] { #expect(text(decoded) == text(value)) }
    }
}
