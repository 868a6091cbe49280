import Foundation
import PushBridgeCore
import PushBridgeInternals
import PushBridgeTestSupport
import PushParity
import Testing

/// Parity compares each member of a stored record, except the members that the tests name.
@Suite("Records of a store")
struct StoreRecorderTests {
    /// Members that parity does not compare.
    ///
    /// The member `pushBridge` contains the exact date, so `createdAt` is not compared. The additional data consists of
    /// members that this version does not use.
    private static let unused: Set = ["additionalData", "createdAt"]

    @Test func theRecordOfANotificationShowsAChangeOfEachMember() throws {
        try expectChanges(of: EveryField.notification(), except: Self.unused.union(["sentAt"])) {
            value,
            contents in
            contents.notifications = [value]
        }
    }

    // Three more members are not compared: there is only one platform, and `pushBridge` contains the values that
    // replace `resourceId` and `serverEndpoint`.
    @Test func theRecordOfAPushCredentialShowsAChangeOfEachMember() throws {
        let replaced: Set = ["platform", "resourceId", "serverEndpoint"]
        try expectChanges(of: EveryField.pushCredential(), except: Self.unused.union(replaced)) {
            value,
            contents in
            contents.pushCredentials = [value]
        }
    }

    // Parity compares the one-time passwords instead of the secret. It does not compare `resourceId` and `userId`,
    // because the simulator generates different values for each version of the server.
    @Test func theRecordOfAOneTimePasswordShowsAChangeOfEachMember() throws {
        let value = try OathCredential.WithSecret(EveryField.oathCredential())
        try expectChanges(of: value, except: ["secret", "resourceId", "userId"]) { value, contents in
            contents.oathCredentials = [value.credential]
        }
    }

    /// Checks that a change to each member of the value's stored form, except the ignored members, changes the
    /// record.
    private func expectChanges<Value: Codable>(
        of value: Value,
        except ignored: Set<String>,
        _ put: (Value, inout StoreContents) -> Void
    ) throws {
        func record(_ value: Value) -> JSONValue {
            var (contents, recorder) = (StoreContents(), StoreRecorder())
            put(value, &contents)
            return recorder.record(contents, at: Date(timeIntervalSince1970: 1_700_000_200)) { $0 }
        }
        let json = try #require(JSONValue(json: JSONEncoder().encode(value)))
        guard case .object(let members) = json else {
            Issue.record("The stored form is not an object.")
            return
        }
        let before = record(value)
        var unchanged: Set<String> = []
        for (name, member) in members {
            let others = Self.others(than: member).compactMap { other -> Value? in
                var members = members
                members[name] = other
                return try? JSONDecoder().decode(Value.self, from: JSONValue.object(members).data)
            }
            #expect(!others.isEmpty || name == "platform", "No other value of \(name) can be decoded.")
            if others.allSatisfy({ record($0) == before }) { unchanged.insert(name) }
        }
        #expect(unchanged == ignored)
    }

    /// Returns other values of the same type; not every member accepts all of them.
    private static func others(than member: JSONValue) -> [JSONValue] {
        switch member {
        case .string(let text):
            [
                "2024-02-29T12:00:00Z", "https://example.com/other", "MFRGGZDF", "default", "sha512", "hotp",
                "totp",
                .string("\(text)x"),
            ]
        case .bool(let value): [.bool(!value)]
        case .integer(let number): [.integer(number + 1)]
        case .number(let number): [.number(number + 1)]
        case .object, .array, .null: [.null, [:], ["other": "value"]]
        }
    }
}
