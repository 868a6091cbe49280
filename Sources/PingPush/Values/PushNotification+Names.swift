import Foundation

extension PushNotification {
    /// The numbers to choose from; what is no number in the server's text is left out.
    public func getNumbersChallenge() -> [Int] { numbers }

    /// Whether the server stopped waiting by now; the push may still be answered, the server decides.
    public var isExpired: Bool { isExpired(at: Date()) }
}
