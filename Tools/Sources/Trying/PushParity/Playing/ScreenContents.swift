package import Foundation
package import PingAMSimulator
import PushBridgeCore
package import PushBridgeInternals

/// The content of a screen, read from the store and the server and not through an API, so that reading changes nothing.
package struct ScreenContents: Sendable {
    /// A push that the server sent.
    package struct Push: Sendable {
        /// The push's name in the scenario.
        package let name: String
        /// The push's id at the server.
        package let messageId: String
        /// The current state of the login page; `nil` if the server does not know the push.
        package let state: PushState?
        /// The number on the login page of a challenge.
        package let number: Int?
    }

    /// Everything in the store.
    package let contents: StoreContents
    /// The names of credentials in the scenario, by their ids.
    package let credentials: [String: String]
    /// The pushes in sending order.
    package let pushes: [Push]
    /// The ids of the devices that the server knows.
    package let devices: Set<String>
    /// The time on the device and on the server.
    package let now: Date
    /// Whether the device is locked.
    package let isLocked: Bool
    /// Whether the device does not recognise its user.
    package let refusesFace: Bool
    /// Whether biometric authentication is available.
    package let hasBiometrics: Bool
}

extension Play {
    /// The current content of the screen.
    func screen() throws -> ScreenContents {
        let phone = environment.phone
        return ScreenContents(
            contents: try contents ?? environment.contents(),
            credentials: Dictionary(credentials.map { ($0.value, $0.key) }) { first, _ in first },
            pushes: pushOrder.compactMap { name in
                guard let message = messages[name] else { return nil }
                return ScreenContents.Push(
                    name: name,
                    messageId: message.id,
                    state: environment.server.state(ofPush: message.id),
                    number: numbers[name]
                )
            },
            devices: Set(environment.server.withService { Array($0.devices.keys) }),
            now: phone.now,
            isLocked: phone.isLocked,
            refusesFace: phone.refusesFace,
            hasBiometrics: phone.hasBiometrics
        )
    }
}

extension ScenarioPlayer {
    /// The current content of a side's screen.
    package func screen(of side: Side) async throws -> ScreenContents { try await play(side).screen() }

    /// Advances the time by a second on both sides after a step that lets time pass, and records the step again.
    package func passSecond(as step: Step) async throws -> StepRecords {
        let legacy = try await play(.legacy).idle(step)
        return (legacy, isShared ? legacy : try await play(.async).idle(step))
    }
}
