package import Foundation
import PushBridgeCore

/// The device as policies see it, and its clock.
package final class Phone: Sendable {
    private struct State {
        var now = Date(timeIntervalSince1970: 1_700_000_000)
        var hasBiometrics = true
        var tampering = 0.0
    }

    private let state = Lock(State())

    package init() {}

    package var now: Date { state.withValue(\.now) }

    package var hasBiometrics: Bool { state.withValue(\.hasBiometrics) }

    package var tampering: Double { state.withValue(\.tampering) }

    func advance(_ seconds: Double) {
        state.withValue { $0.now += seconds }
    }

    func change(_ change: Step.Device) {
        state.withValue { state in
            state.hasBiometrics = change.biometrics ?? state.hasBiometrics
            state.tampering = change.tampering ?? state.tampering
        }
    }
}
