import Foundation
import PushBridgeCore
import Testing

@testable import PushBridgeAPNs

/// Payloads that are built from parts; the expected JSON follows Apple's guide to payloads.
@Suite struct PayloadTests {
    private func text(_ change: (inout APNsPayload) -> Void) -> String {
        var payload = APNsPayload()
        change(&payload)
        return String(decoding: payload.data, as: UTF8.self)
    }

    @Test func payloadMembersHaveApplesNames() {
        let all = text { payload in
            payload.title = "Sign-in"
            payload.subtitle = "Bank"
            payload.body = "Is it \"you\"?"
            payload.badge = 3
            payload.sound = "default"
            payload.category = "authentication"
            payload.thread = "t1"
            payload.interruptionLevel = "time-sensitive"
            payload.isMutable = true
            payload.wakesApp = true
            payload.custom = ["link": "a"]
        }
        let alert = #"{"body":"Is it \"you\"?","subtitle":"Bank","title":"Sign-in"}"#
        let aps =
            #"{"alert":\#(alert),"badge":3,"category":"authentication","content-available":1,"#
            + #""interruption-level":"time-sensitive","mutable-content":1,"sound":"default","thread-id":"t1"}"#
        #expect(all == #"{"aps":\#(aps),"link":"a"}"#)
    }

    @Test func absentPartsAreNotSent() {
        #expect(text { $0.body = "x" } == #"{"aps":{"alert":{"body":"x"}}}"#)
        #expect(text { $0.badge = 0 } == #"{"aps":{"badge":0}}"#)
        #expect(text { $0.wakesApp = true } == #"{"aps":{"content-available":1}}"#)
        #expect(text { $0.custom = ["aps": "x"] } == #"{"aps":{}}"#)
    }

    @Test func onlyAPayloadThatWakesTheAppUnseenIsSilent() {
        var payload = APNsPayload()
        #expect(payload.isEmpty && !payload.isSilent)
        payload.wakesApp = true
        #expect(payload.isSilent)
        payload.badge = 1
        #expect(!payload.isSilent)
    }
}
