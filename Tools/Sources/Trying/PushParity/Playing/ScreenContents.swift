package import Foundation
package import PingAMSimulator
import PushBridgeCore
package import PushBridgeInternals

/// The content of an app's screen.
///
/// The content is read from the store and the server, because reading through an API could change them.
package struct ScreenContents: Sendable {
    /// A push that the server sent.
    package struct Push: Sendable {
        /// The name of the push in the scenario.
        package let name: String
        /// The server's identifier of the push.
        package let messageId: String
        /// The current state of the login page; `nil` if the server does not know the push.
        package let state: PushState?
        /// If the push is a challenge, the number that the login page shows; `nil` for other pushes.
        package let number: Int?
    }

    /// All records of the store.
    package let contents: StoreContents
    /// The names that credentials have in the scenario, by credential id.
    package let credentials: [String: String]
    /// The pushes, in the order in which they were sent.
    package let pushes: [Push]
    /// The ids of the devices that the server knows.
    package let devices: Set<String>
    /// The time on the device and on the server.
    package let now: Date
    /// Whether the device is locked.
    package let isLocked: Bool
    /// Whether the device fails to recognise its user.
    package let refusesFace: Bool
    /// Whether biometric authentication is available.
    package let hasBiometrics: Bool
}

extension StepPlayer {
    /// Returns the current content of the screen.
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
    /// Returns the current content of a side's screen.
    package func screen(of side: APISide) async throws -> ScreenContents {
        try await player(of: side).screen()
    }

    /// Advances the time by a second on both sides, as part of a step in which time passes.
    ///
    /// Returns new records of that step.
    package func passSecond(as step: Step) async throws -> StepRecords {
        let legacy = try await player(of: .legacy).idle(step)
        return (legacy, isShared ? legacy : try await player(of: .async).idle(step))
    }
}
