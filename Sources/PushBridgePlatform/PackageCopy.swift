package import Foundation

/// A copy of the package in the process.
///
/// A process has two copies if an app and a framework in it both link the products statically, reportedly the default
/// in Xcode 27. Each copy then has its own client, locks and open stores, and the copies' transactions do not exclude
/// one another.
package struct PackageCopy {
    private final class Marker {}

    private let identity: Int
    private let center: NotificationCenter

    /// The copy that contains this code.
    package static let this = PackageCopy(identity: ObjectIdentifier(Marker.self).hashValue)

    /// Creates the value for one copy; the copies find each other through a notification center.
    package init(identity: Int, at center: NotificationCenter = .default) {
        (self.identity, self.center) = (identity, center)
    }

    /// Posts a query for other copies in the process, and answers later queries.
    ///
    /// The copies share only Foundation, so they use its notification center.
    /// - Returns: A sentence for the log if there is another copy; `nil` otherwise.
    package func register() -> String? {
        let answers = NSMutableArray()
        // If two copies start at the same time, the copy that begins to observe later finds the other copy.
        let isNew = Self.noted.withValue { $0.insert(identity).inserted }
        if isNew {
            _ = center.addObserver(forName: Self.question, object: nil, queue: nil) {
                [identity] in
                ($0.object as? NSMutableArray)?.add(identity)
            }
        }
        center.post(name: Self.question, object: answers)
        guard answers.contains(where: { $0 as? Int != identity }) else { return nil }
        return
            "This process contains two copies of PushBridge, whose transactions do not exclude one another: link the products"
            + " of PushBridge into one dynamic framework, and link this framework everywhere else."
    }

    private static let question = Notification.Name("PushBridge.copies")
    private static let noted = Lock<Set<Int>>([])
}
