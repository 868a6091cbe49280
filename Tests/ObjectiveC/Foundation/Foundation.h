// Replaces Apple's header. It contains the declarations that the generated headers and the Objective-C call sites use.
#ifndef PUSHBRIDGE_FOUNDATION_STAND_IN
#define PUSHBRIDGE_FOUNDATION_STAND_IN

#define YES ((BOOL)1)
#define NO ((BOOL)0)
typedef signed char BOOL;
typedef long NSInteger;
typedef unsigned long NSUInteger;

@protocol NSObject
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject>
+ (instancetype)new;
+ (instancetype)alloc;
- (instancetype)init;
@end

@interface NSError : NSObject
@end

// On Linux, the compiler writes the names of Foundation's classes in this form.
@interface _TtC10Foundation12NSDictionary : NSObject
@end
@interface _TtC10Foundation5NSURL : NSObject
@end
@interface _TtC10Foundation6NSData : NSObject
@end
@interface _TtC10Foundation6NSDate : NSObject
@end
@interface _TtC10Foundation7NSArray : NSObject
@end
@interface _TtC10Foundation8NSString : NSObject
@end
@compatibility_alias NSString _TtC10Foundation8NSString;

void NSLog(NSString *format, ...);

#endif
