import Foundation
import NIOConcurrencyHelpers
import NIOHPACK
import PushBridgeTestSupport
import Testing

@testable import PushBridgeAPNs

/// A team's key, the service for this key, and a push that the service accepts.
struct TestEnvironment {
    static let token = String(repeating: "0a", count: 32)
    static let now = Date(timeIntervalSince1970: 1_700_000_000)

    let key: ProviderKey
    let providerToken: String
    var service: APNsService
    var push = APNsPush(
        to: TestEnvironment.token,
        topic: "com.example.app",
        payload: Data(#"{"aps":{"alert":"x"}}"#.utf8)
    )

    init() throws {
        key = ProviderKey(keyId: "ABC1234567", teamId: "TEAM123456")
        providerToken = try key.token(issuedAt: Self.now)
        service = APNsService(APNsSettings(key: key, topics: ["com.example.app", "com.example.other"]))
    }

    func request(_ change: (inout APNsRequest) -> Void = { _ in }) -> APNsRequest {
        var request = APNsRequest(push, providerToken: providerToken)
        change(&request)
        return request
    }

    /// Returns a payload that has exactly this number of bytes.
    static func payload(bytes: Int) -> Data {
        let frame = #"{"aps":{"alert":""}}"#
        let text = String(repeating: "x", count: bytes - frame.utf8.count)
        return Data(frame.replacingOccurrences(of: #""""#, with: "\"\(text)\"").utf8)
    }
}

/// A transport that returns the answers of a list, one after another, and records the requests.
final class ScriptedTransport: APNsTransport {
    private let answers: NIOLockedValueBox<[APNsAnswer]>
    private let asked = NIOLockedValueBox<[APNsRequest]>([])

    init(_ reasons: [APNsReason?]) {
        answers = NIOLockedValueBox(reasons.map { APNsAnswer(id: "", $0) })
    }

    var requests: [APNsRequest] { asked.withLockedValue { $0 } }

    func send(_ request: APNsRequest) async throws -> APNsAnswer {
        asked.withLockedValue { $0.append(request) }
        return answers.withLockedValue { $0.isEmpty ? APNsAnswer(id: "") : $0.removeFirst() }
    }
}

/// A clock in which a pause takes no time: the clock advances at once, and records the pause.
final class TestClock: Sendable {
    private let time = NIOLockedValueBox((now: TestEnvironment.now, pauses: [Duration]()))

    var pauses: [Duration] { time.withLockedValue(\.pauses) }

    func advance(minutes: Double) {
        time.withLockedValue { $0.now += minutes * 60 }
    }

    var clock: APNsClock {
        var clock = APNsClock()
        clock.now = { self.time.withLockedValue(\.now) }
        clock.sleep = { pause in
            self.time.withLockedValue { time in
                time.now += Double(pause.components.seconds)
                time.pauses.append(pause)
            }
        }
        return clock
    }
}

extension HPACKHeaders {
    /// Replaces a header; `nil` removes the header.
    mutating func set(_ name: String, _ value: String?) {
        remove(name: name)
        if let value { add(name: name, value: value) }
    }
}
