import FRCore
import Foundation
import PushBridgeCore
import PushBridgePlatform

extension Authenticator {
    /// Returns the push in a payload, or `nil` if the payload is from another sender.
    func incoming(_ userInfo: [AnyHashable: Any]) -> IncomingPush? {
        PushPayload(.payload(userInfo))?.incoming
    }

    /// Verifies and stores a push; if this fails, logs the error.
    func arrival(of push: IncomingPush, at date: Date? = nil) -> PushArrival {
        finishMigration()
        return PushArrival {
            do {
                return try receive(try push.get(), at: date ?? configuration.now())
            } catch {
                FRALog.e("Receiving a push: \(LegacyError.reason(error))")
                throw error
            }
        }
    }

    /// Carries out a response to a banner, and reports the result once.
    func react(to actionId: String, _ push: IncomingPush, text: String?, _ once: Once<PushReaction>) {
        switch arrival(of: push).plan(for: actionId, text: text, id: \.legacyIdentifier) {
        case .ended(let reaction): once(reaction)
        case .answer(let answer, let stored):
            let object = received(stored)
            let id = object.value.legacyIdentifier
            let callbacks = Callbacks<Void> {
                once(.answered(id, isApproval: answer.isApproval))
            } _: { error in
                once(.failed(id, reason: error.localizedDescription))
            }
            self.answer(answer, to: object, callbacks)
        }
    }

    /// Stores delivered pushes that have not been processed yet.
    ///
    /// Returns the pushes that can still be answered, without duplicates.
    func receive(delivered: [[AnyHashable: Any]], at dates: [Date]) -> [PushNotification] {
        let now = configuration.now()
        var known: Set<String> = []
        return delivered.enumerated().compactMap { index, userInfo in
            guard let push = incoming(userInfo) else { return nil }
            let date = index < dates.count ? min(dates[index], now) : now
            guard case .stored(let stored, _) = arrival(of: push, at: date), stored.isAnswerable(at: now),
                known.insert(stored.id).inserted
            else { return nil }
            return received(stored)
        }
    }
}
