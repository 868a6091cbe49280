import Foundation
import PushBridgeCore
import PushParity

extension Mutation {
    /// Mutations in which the app receives outcomes other than those that the API reports.
    static let answers: [Mutation] = [
        changed("the callback is called twice", in: "A push is approved") { $0 + $0 },
        changed("the callback is never called", in: "A push is denied") { _ in [] },
        changed("the callback is called on the main thread", in: "A push is approved") { deliveries in
            deliveries.map { Delivery(.callback, thread: .main, $0.outcome) }
        },
        changed("the callback is called on the caller's thread", in: "A push is approved") { deliveries in
            deliveries.map { Delivery(.callback, thread: .caller, $0.outcome) }
        },
        changed("a different error is reported", in: "Pushes are approved in the wrong way") { deliveries in
            deliveries.map { delivery in
                var delivery = delivery
                delivery.outcome = .failure(Failure("PushError.storageFailure"))
                return delivery
            }
        },
        changed("a failure is reported as success", in: "An answer fails with serverError and is repeated") {
            deliveries in
            deliveries.map { Delivery($0.form, thread: $0.thread, .value(true)) }
        },
    ]

    private static func changed(
        _ name: String,
        in scenario: String,
        _ change: @escaping @Sendable ([Delivery]) -> [Delivery]
    ) -> Mutation {
        Mutation(name, in: scenario) { changes in
            changes.side = { ChangedResultsSide(side: $0, change: change) }
        }
    }
}

/// Changes the outcomes that the app receives.
///
/// By default, the side changes the outcomes of answers to pushes.
struct ChangedResultsSide: ParitySide {
    let side: any ParitySide
    var isAbout: @Sendable (SideCall) -> Bool = { call in
        if case .answer = call { true } else { false }
    }
    let change: @Sendable ([Delivery]) -> [Delivery]

    func perform(_ call: SideCall) async -> [Delivery] {
        let deliveries = await side.perform(call)
        return isAbout(call) ? change(deliveries) : deliveries
    }
}
